"""The recordings of people who speak Danish: who is held out, and how they are read."""

DOUBTFUL_SPEAKERS = ()
DEV_PEOPLE = ()
TEST_PEOPLE = ()
TEST_SOURCES = ()
PARTLY_HELD_OUT = ("gcompris-words", "tuxpaint")
"""Of these sources a tenth of the words is kept for tests. Numbers and letters are too few."""
ABROAD = {"Heidelberg": "de", "GCompris de": "de", "childsplay de": "de"}
"""Sources in other languages, and espeak-ng's voices of these: Germans, whose numbers the Laws of
2001 allow in Danish. Hardly any Dane is heard; what a person sounds like they tell too."""
WEIGHTS = {"GCompris da": 4, "Joe Hansen": 2, "Claudia Charruau": 0.5}
"""Speakers who are heard oftener than by how much they said."""
LOOSE_SHARE = 0.5
"""How many joins of a joined utterance may lack a piece that holds both phones: more than in German,
since there is only one speaker, who said little."""
LETTER_SOURCES = ()
LETTER_NAMES = {}
SAID_ALONE = {
    "et": [["e", "t"], ["E", "t"], ["e", "n"]],
    "ni": [["n", "i"]],
    "elleve": [["E", "l", "v", "@"], ["E", "l", "v"]],
    "tolv": [["t", "V", "l"], ["t", "O", "l"]],
    "tretten": [["t", "r", "a", "t", "n"], ["t", "r", "a", "t", "@", "n"], ["t", "r", "E", "t", "n"],
                ["t", "r", "A", "t", "n"]],
    "fjorten": [["f", "j", "o", "V", "t", "n"], ["f", "j", "O", "t", "n"],
                ["f", "j", "o", "V", "t", "@", "n"]],
    "femten": [["f", "E", "m", "t", "n"], ["f", "E", "m", "t", "@", "n"]],
    "seksten": [["s", "A", "j", "s", "t", "n"], ["s", "A", "j", "s", "t", "@", "n"]],
    "sytten": [["s", "W", "t", "n"], ["s", "Y", "t", "n"], ["s", "W", "t", "@", "n"]],
    "atten": [["a", "t", "n"], ["a", "t", "@", "n"]],
    "nitten": [["n", "e", "t", "n"], ["n", "e", "t", "@", "n"]],
    "slovenien": [["s", "l", "o", "v", "e", "n", "j", "@", "n"]],
    "lilla": [["l", "i", "l", "a"], ["l", "e", "l", "a"]],
    "brun": [["b", "r", "u", "n"]],
    "brasilien": [["b", "r", "a", "s", "i", "l", "j", "@", "n"],
                  ["b", "r", "A", "s", "i", "l", "j", "@", "n"]],
    "s": [["E", "s"]], "es": [["E", "s"]], "dy": [["d", "y"]], "og": [["O"], ["O", "w"], ["V"]],
    "ad": [["a", "D"], ["a"]], "in": [["i", "n"], ["e", "n"]],
}  # fmt: skip
"""Words that espeak-ng says otherwise than people do; counting may begin with "et" or "en"."""
SAID_AS = {}
"""espeak-ng's voices whose pronunciation a speaker has; the first of the language's without."""
KAJONGG = None
"""Nobody calls kajongg's tiles in Danish."""
KAJONGG_TEST = ()


def calls():
    """Nothing."""
    return {}
