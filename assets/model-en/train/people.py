"""The recordings of people who speak English: who is held out, and how they are read."""

DOUBTFUL_SPEAKERS = ()
DEV_PEOPLE = ("FSDD theo",)
TEST_PEOPLE = ("FSDD yweweler",)
TEST_SOURCES = ()
PARTLY_HELD_OUT = ("art4apps", "gcompris-words")
"""Of these sources a tenth of the words is kept for tests."""
ABROAD = {}
"""Sources in other languages, and espeak-ng's voices of these."""
WEIGHTS = {}
"""Speakers who are heard oftener than by how much they said."""
LOOSE_SHARE = 0.35
"""How many joins of a joined utterance may lack a piece that holds both phones."""
LETTER_SOURCES = ("asterisk-letters", "gcompris-letters", "klettres-letters")
LETTER_NAMES = {
    "a": "eh", "b": "bee", "c": "see", "d": "dee", "e": "ee", "f": "eff", "g": "gee", "h": "aitch",
    "i": "eye", "j": "jay", "k": "kay", "l": "ell", "m": "em", "n": "en", "o": "owe", "p": "pea",
    "q": "queue", "r": "are", "s": "ess", "t": "tea", "u": "you", "v": "vee", "w": "double you",
    "x": "ex", "y": "why",
}  # fmt: skip
SAID_ALONE = {"eff": [["E", "f"]], "a": [["eI"], ["@"]]}
"""Words that espeak-ng spells, or says in one of two ways."""
SAID_AS = {
    "Allison Smith": "en-us", "Art4Apps": "en-us", "KLettres en": "en-us", "FSDD jackson": "en-us",
}  # fmt: skip
"""espeak-ng's voices whose pronunciation a speaker has; the first of the language's without."""
KAJONGG = None
"""Nobody calls kajongg's tiles in English."""
KAJONGG_TEST = ()


def calls():
    """Nothing."""
    return {}
