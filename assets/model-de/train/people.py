"""The recordings of Germans: who is held out, who is left out, and what else is installed."""

from pathlib import Path

DOUBTFUL_SPEAKERS = ("Martin Herweg",)
"""The README of the recordings doubts the labels of his numbers."""
DEV_PEOPLE = ("HD-06",)
TEST_PEOPLE = ("HD-07", "HD-08")
TEST_SOURCES = ("voxforge-de4",)
PARTLY_HELD_OUT = ("gcompris-voices",)
"""Of these sources a tenth of the words is kept for tests."""
ABROAD = {}
"""Sources in other languages, and espeak-ng's voices of these."""
WEIGHTS = {}
"""Speakers who are heard oftener than by how much they said."""
LOOSE_SHARE = 0.35
"""How many joins of a joined utterance may lack a piece that holds both phones."""
LETTER_SOURCES = ("KDE/klettres",)
LETTER_NAMES = {
    "a": "ah", "b": "beh", "c": "zeh", "d": "deh", "e": "eh", "f": "eff", "g": "geh", "h": "hah",
    "i": "ih", "j": "jott", "k": "kah", "l": "ell", "m": "emm", "n": "enn", "o": "oh", "p": "peh",
    "q": "kuh", "r": "err", "s": "ess", "t": "teh", "u": "uh", "v": "fau", "w": "weh", "x": "ix",
    "y": "üpsilon", "z": "zett", "ae": "äh", "oe": "öh", "ue": "üh", "sz": "esszett",
}  # fmt: skip
SAID_ALONE = {"der": [["d", "e:", "3"], ["d", "E", "3"]]}
"""Words that espeak-ng weakens when they stand alone."""
SAID_AS = {}
"""espeak-ng's voices whose pronunciation a speaker has; the first of the language's without."""

# The tiles of kajongg, the Mah-Jongg of KDE, are called by four Germans (Debian's package kajongg).
KAJONGG = Path("/usr/share/kajongg/voices/de")
KAJONGG_TEST = ("female2",)
TILE_SUITS = {"b": ["bambus"], "c": ["zahl", "zeichen"], "s": ["kreis"]}
"""Not every one of the four calls the characters alike."""
TILE_NUMBERS = "eins zwei drei vier fünf sechs sieben acht neun".split()
OTHER_TILES = {
    "we": [["ostwind", "osten"]],
    "wn": [["nordwind", "norden"]],
    "ws": [["südwind", "süden"]],
    "ww": [["westwind", "westen"]],
    "db": [["weißer"], ["drache"]],
    "dg": [["grüner"], ["drache"]],
    "dr": [["roter"], ["drache"]],
}


def calls():
    """What each of a speaker's files says: words in turns, each in all wordings."""
    result = dict(OTHER_TILES)
    for suit, names in TILE_SUITS.items():
        for number, word in enumerate(TILE_NUMBERS, 1):
            result[f"{suit}{number}"] = [names, [word]]
    return result
