"""The sounds of English: the phone set, espeak-ng's names for them, and how people change them.

British and American forms are written alike as far as they sound alike. Where an r is said behind a
vowel it is an `r` of its own (`A: r`), or `3`, the coloured vowel of "winner" and "thirty" in
America; where it is not, the vowel stands alone (`A:`, `@`, `3:`).
"""

CONSONANTS = "p b t d k g f v T D s z S Z tS dZ h m n N l r j w".split()
VOWELS = "i: I E a V 0 A: O: U u: 3: 3 @ eI aI OI aU oU".split()

# espeak-ng's English names that differ from ours.
SAME_AS = {
    "i": "i:", "I2": "I", "I#": "I", "aa": "a", "a#": "@", "a2": "a", "A@": "A:", "O@": "O:",
    "o@": "O:", "@-": "@", "O2": "O:", "O": "O:", "e": "E", "E2": "E", "e:": "eI", "o": "oU",
    "o:": "oU", "3": "@", "@2": "@", "@5": "@", "u": "u:", "U2": "U", "aI2": "aI", "R": "r",
    "r-": "r", "r/": "r", "t#": "d", "t2": "t", "?": "t", "t[": "T", "w#": "w", "n-": "n",
    "l#": "l", "L": "l", "x": "k", "C": "h", "N2": "N", "z#": "z", "s#": "s", "d#": "d", "h#": "h",
    "0#": "@", "V#": "V",
}  # fmt: skip
TWO_PHONES = {
    "@L": ("@", "l"), "e@": ("E", "@"), "i@": ("i:", "@"), "i@3": ("I", "@"), "U@": ("U", "@"),
    "VR": ("V", "r"), "IR": ("I", "r"), "aI3": ("aI", "3"),
    "aI@": ("aI", "@"), "I@": ("I", "@"),
}  # fmt: skip
GOES_ON = (";", "-", "~")
"""Glides that espeak-ng names beside the vowel before them."""
_RHOTIC = {
    "A@": ("A:", "r"), "O@": ("O:", "r"), "o@": ("O:", "r"), "e@": ("E", "r"), "i@3": ("I", "r"),
    "U@": ("U", "r"), "aI@": ("aI", "@"), "3": ("3",), "3:": ("3",), "0": ("A:",),
}  # fmt: skip
OF_VOICE = {
    "en-us": _RHOTIC,
    "en-us-nyc": {"0": ("A:",)},
    "en-gb-x-rp": {"aa": ("A:",)},
    "en-gb-scotland": {
        "e@": ("E",), "i@3": ("I",), "U@": ("U",), "3": ("@",), "3:": ("3",), "VR": ("3",),
        "IR": ("3",),
    },
}  # fmt: skip
"""What some of espeak-ng's voices say otherwise."""


SWALLOWED = ("l",)
"""Sounds for which espeak-ng leaves no time at the end of a word, though they are heard."""
NEVER_TWICE = ("r",)
"""An r behind a rhotic vowel is that vowel's."""


def settled(names):
    """Phones out of espeak-ng's as the model has them."""
    return names


def variants(phones):
    """A pronunciation and the ways in which people shorten or colour it."""
    phones = tuple(phones)
    forms = [phones]
    if len(phones) > 3 and phones[-2:] == ("I", "N"):
        forms.append((*phones[:-1], "n"))
    if len(phones) > 3 and phones[-2:] in (("@", "n"), ("@", "l")):
        forms.append((*phones[:-2], phones[-1]))
    for number, (before, phone, after) in enumerate(zip(phones, phones[1:], phones[2:]), 1):
        if phone == "t" and before in (*VOWELS, "r") and after in ("@", "3", "i:", "I"):
            forms.append((*phones[:number], "d", *phones[number + 1 :]))
    if phones[-1] == "3:" or "3:" in phones:
        forms.append(tuple("3" if phone == "3:" else phone for phone in phones))
    return list(dict.fromkeys(forms))


# The same words as people say them in other places and with other mother tongues. espeak-ng's eight
# accents are few; chess players come from everywhere.
HABIT_SHARE = 0.18
"""How often a speaker has a habit for a sound; else the sound stays espeak-ng's."""
R_SHARE = 0.35
R_BEFORE_VOWELS = ("R", "Q", "*", "r", "w")
HABITS = {
    "T": ("t", "s", "f"),
    "D": ("d", "z", "v"),
    "w": ("v", "B"),
    "v": ("w", "f", "B"),
    "z": ("s",),
    "i:": ("I", "i"),
    "I": ("i", "i:"),
    "E": ("a", "e"),
    "a": ("E", "A:"),
    "aa": ("a", "A:"),
    "V": ("a", "A:", "U"),
    "0": ("O", "A:", "O:"),
    "A:": ("a", "0"),
    "A@": ("A:", "a"),
    "O:": ("0", "o:", "O"),
    "O@": ("O:", "o:"),
    "o@": ("O:", "o:"),
    "U": ("u:", "V"),
    "u:": ("U", "u"),
    "3:": ("E", "@"),
    "3": ("@", "E", "V"),
    "@": ("V", "E", "I"),
    "eI": ("e:", "E", "E I"),
    "oU": ("o:", "O:", "0 U"),
    "aI": ("A: I", "a I", "OI"),
    "aU": ("a U", "A: U"),
    "OI": ("O I",),
    "tS": ("t S", "S"),
    "dZ": ("tS", "d Z"),
    "S": ("s",),
    "N": ("N g", "n"),
    "d": ("t",),
    "b": ("p",),
    "g": ("k",),
    "k": ("k h", "g"),
    "t": ("t h", "d", "t2"),
    "p": ("p h", "b"),
    "h": ("x",),
    "l": ("l#",),
    "t#": ("t", "d"),
}


def said_for(accent, name, before_vowel, before_r):
    """What a speaker says for one of espeak-ng's phonemes, in parts, and the label of each."""
    if name == "r" and before_vowel:
        return [(accent.habit("r", R_BEFORE_VOWELS, R_SHARE), "r")]
    return [(accent.habit(name, HABITS.get(name, (name,)), HABIT_SHARE), name)]


POCKETSPHINX = {
    "p": "P", "b": "B", "t": "T", "d": "D", "k": "K", "g": "G", "f": "F", "v": "V", "T": "TH",
    "D": "DH", "s": "S", "z": "Z", "S": "SH", "Z": "ZH", "tS": "CH", "dZ": "JH", "h": "HH",
    "m": "M", "n": "N", "N": "NG", "l": "L", "r": "R", "j": "Y", "w": "W", "i:": "IY", "I": "IH",
    "E": "EH", "a": "AE", "V": "AH", "0": "AA", "A:": "AA", "O:": "AO", "U": "UH", "u:": "UW",
    "3:": "ER", "3": "ER", "@": "AH", "eI": "EY", "aI": "AY", "OI": "OY", "aU": "AW", "oU": "OW",
}  # fmt: skip
"""The names of a dictionary of American English for our sounds."""

LIKE = {
    "de": {
        "T": "s", "D": "z", "Z": "S", "tS": "S", "dZ": "S", "w": "v", "V": "a", "0": "O",
        "O:": "o:", "3:": "W", "3": "W", "eI": "e:", "oU": "o:", "OI": "OY",
    },
}  # fmt: skip
"""What another language has for our sounds that it lacks: see `transfer`."""
