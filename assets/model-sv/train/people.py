"""The recordings of people who speak Swedish: who is held out, and how they are read."""

DOUBTFUL_SPEAKERS = ()
DEV_PEOPLE = ()
TEST_PEOPLE = ("Johnstad/Gabor",)
"""A Norwegian, of whose words those are taken that Swedes say nearly alike."""
TEST_SOURCES = ()
PARTLY_HELD_OUT = ("GCompris sv",)
"""Of these sources a tenth of the words is kept for tests."""
ABROAD = {"Heidelberg": "de", "GCompris de": "de", "childsplay de": "de"}
"""Sources in other languages, and espeak-ng's voices of these: Germans, whose words consist of
sounds that are nearly Swedish. Hardly any Swede is heard; what a person sounds like they tell too."""
WEIGHTS = {"Ulrika Uddeborg": 4, "Claudia Charruau": 0.5}
"""Speakers who are heard oftener than by how much they said."""
LOOSE_SHARE = 0.5
"""How many joins of a joined utterance may lack a piece that holds both phones: more than in German,
since there is only one speaker, who said little."""
LETTER_SOURCES = ()
LETTER_NAMES = {}
SAID_ALONE = {
    word: [form.split() for form in forms]
    for word, forms in {
        "noll": ["n O l"],
        "nio": ["n i: U", "n i: u:", "n i: @"],
        "tretton": ["t r E t O n"],
        "fjorton": ["f j u: t O n", "f j u: r t O n"],
        "femton": ["f E m t O n"],
        "sexton": ["s E k s t O n"],
        "sjutton": ["x 8 t O n", "S 8 t O n"],
        "arton": ["A: t O n", "A: r t O n"],
        "nitton": ["n I t O n"],
        "brun": ["b r u-: n"],
        "orange": ["O r a n S", "O r a N S", "u: r a n S"],
        "svart": ["s v a t", "s v a r t"],
        "amerika": ["a m e: r I k a"],
        "belgien": ["b E l g j @ n", "b E l j @ n"],
        "brasilien": ["b r a s i: l j @ n"],
        "bulgarien": ["b 8 l g A: r j @ n"],
        "chile": ["S i: l @", "t S i: l @"],
        "danmark": ["d a n m a r k"],
        "italien": ["I t A: l j @ n"],
        "kroatien": ["k r U A: t s j @ n", "k r u: A: t s j @ n"],
        "rumänien": ["r 8 m E: n j @ n", "r u-: m E: n j @ n"],
        "spanien": ["s p A: n j @ n"],
        "ukraina": ["8 k r a j n a", "u-: k r a j n a"],
        "ungern": ["8 N @ n", "8 N @ r n"],
    }.items()
}
"""Words that espeak-ng pronounces as nobody does."""
SAID_AS = {}
"""espeak-ng's voices whose pronunciation a speaker has; the first of the language's without."""
KAJONGG = None
"""Nobody calls kajongg's tiles in Swedish."""
KAJONGG_TEST = ()


def calls():
    """Nothing."""
    return {}
