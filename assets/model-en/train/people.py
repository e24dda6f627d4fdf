"""The recordings of people who speak English: who is held out, and how they are read."""

DOUBTFUL_SPEAKERS = ()
DEV_PEOPLE = ("FSDD theo",)
TEST_PEOPLE = ("FSDD yweweler", "Allison Smith")
TEST_SOURCES = ()
PARTLY_HELD_OUT = ()
ABROAD = {}
"""Sources in other languages, and espeak-ng's voices of these."""
WEIGHTS = {}
"""Speakers who are heard oftener than by how much they said."""
LETTER_SOURCES = ()
LETTER_NAMES = {}
SAID_ALONE = {}
KAJONGG = None
"""Nobody calls kajongg's tiles in English."""
KAJONGG_TEST = ()


def calls():
    """Nothing."""
    return {}
