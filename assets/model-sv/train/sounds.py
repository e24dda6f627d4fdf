"""The sounds of Swedish: the phone set, espeak-ng's names for them, and how people change them.

Retroflex sounds are written as the plain ones: `n` is the last sound of "torn" whether an r is
heard before it (`t u: r n`) or has melted into it (`t u: n`). The exception is rs, which is `S`.
"""

CONSONANTS = "p b t d k g f v s S x h j m n N l r".split()
VOWELS = "i: I e: E E: a A: o: O u: U u-: 8 y: y Y: W @".split()

# espeak-ng's Swedish names that differ from ours, or that foreign words bring in.
SAME_AS = {
    "R": "r", "E-": "@", "u-": "u-:", "8:": "u-:", "sx": "x", "S;": "S", "s.": "S", "n.": "n",
    "l.": "l", "t:": "t", "k:": "k", "p:": "p", "d:": "d", "b:": "b", "g:": "g", "z": "s",
    "O:": "o:", "W:": "W", "i": "I", "e": "E", "o": "O", "u": "U", "aa": "a", "Z": "S", "C": "S",
    "w": "v", "a:": "A:", "A": "a", "r-": "r", "*": "r", "0": "O", "V": "a", "E2": "E", "I2": "I",
    "a2": "a", "a#": "a", "3": "@", "@2": "@", "D": "d", "T": "t", "3:": "W", "x": "x",
}  # fmt: skip
TWO_PHONES = {
    "aI": ("a", "j"), "aU": ("a", "U"), "eI": ("E", "j"), "oU": ("o:", "U"), "OI": ("O", "j"),
    "dZ": ("d", "S"), "tS": ("t", "S"), "ts": ("t", "s"), "@L": ("@", "l"),
}  # fmt: skip
GOES_ON = (";",)
"""The glide that espeak-ng names between i and another vowel."""
OF_VOICE = {
    "nb": {
        "u-": ("8",), "u-:": ("u-:",), "a#": ("@",), "x": ("S",), "s;": ("S",),
        "u-I": ("8", "j"),
    },
    "de": {
        "UR": ("U", "r"), "pF": ("p", "f"), "pf": ("p", "f"), "ks": ("k", "s"), "OY": ("O", "j"),
        "3": ("@",), "Q": ("O",),
    },
    "fi": {
        "&": ("E",), "&i": ("E", "j"), "Y": ("W",), "s2": ("s",), "ie": ("I", "E"),
        "ui": ("U", "j"), "au": ("a", "U"), "ei": ("E", "j"), "ou": ("O", "U"), "uo": ("U", "O"),
        "iu": ("I", "U"), "yö": ("y", "W"),
    },
}  # fmt: skip
"""What some of espeak-ng's voices say otherwise."""
SWALLOWED = NEVER_TWICE = ()


def settled(names):
    """Phones out of espeak-ng's as the model has them."""
    return names


def variants(phones):
    """A pronunciation and the ways in which people shorten or colour it."""
    phones = tuple(phones)
    forms = [phones]
    if len(phones) > 3 and phones[-2:] in (("@", "n"), ("@", "l")):
        forms.append((*phones[:-2], phones[-1]))
    if len(phones) > 3 and phones[-2:] == ("@", "t"):
        forms.append(phones[:-1])
    if len(phones) > 3 and phones[-1] == "r" and phones[-2] in ("a", "@"):
        forms.append(phones[:-1])
    for number, phone in enumerate(phones):
        if phone == "x":
            forms.append((*phones[:number], "S", *phones[number + 1 :]))
        if phone == "r" and phones[number + 1 : number + 2] in (("t",), ("n",), ("d",), ("l",)):
            forms.append((*phones[:number], *phones[number + 1 :]))
    return list(dict.fromkeys(forms))


# The same words as other Swedes say them, and people whose mother tongue is another: espeak-ng says
# every r alike, and knows one sje.
HABIT_SHARE = 0.22
"""How often a speaker has a habit for a sound; else the sound stays espeak-ng's."""
R_SHARE = 0.7
R_BEFORE_VOWELS = ("r", "r", "*", "*", "Q", "Q", "x", "w")
R_ELSEWHERE = ("r", "*", "*", "@", "Q", "x", "a")
HABITS = {
    "sx": ("x", "X", "h", "f h", "sx"),
    "S": ("s.", "S;", "C", "s"),
    "S;": ("C", "S", "s.", "t S"),
    "s.": ("S", "s"),
    "n.": ("n", "R n"),
    "u-": ("u", "u:", "y:", "8"),
    "8": ("u-", "U", "u"),
    "e:": ("e", "E:", "e @", "E"),
    "E:": ("e:", "E", "a"),
    "A:": ("a", "O", "A:"),
    "o:": ("O", "o", "o: @"),
    "O": ("o", "U", "o:"),
    "u:": ("o:", "U", "u"),
    "U": ("O", "u:", "u"),
    "y:": ("i:", "u-", "y"),
    "y": ("I", "y:", "8"),
    "Y:": ("W", "e:", "Y: @"),
    "W": ("Y:", "E", "8"),
    "i:": ("I", "i"),
    "I": ("i", "e"),
    "E": ("e", "a", "E:"),
    "a": ("A:", "E"),
    "E-": ("E", "@", "e"),
    "@": ("E", "E-", "e"),
    "v": ("w", "B", "f"),
    "N": ("N g", "n"),
    "d": ("t",),
    "b": ("p",),
    "g": ("k",),
    "k": ("k h", "g"),
    "t": ("t h", "d"),
    "p": ("p h", "b"),
    "h": ("x",),
    "l": ("l.",),
    "s": ("s.", "z"),
}


def said_for(accent, name, before_vowel, before_r):
    """What a speaker says for one of espeak-ng's phonemes, in parts, and the label of each."""
    if name == "R" and before_vowel:
        return [(accent.habit("R", R_BEFORE_VOWELS, R_SHARE), "R")]
    if name == "R":
        return [(accent.habit("R elsewhere", R_ELSEWHERE, R_SHARE, "R"), "R")]
    return [(accent.habit(name, HABITS.get(name, (name,)), HABIT_SHARE), name)]


POCKETSPHINX = {
    "p": "P", "b": "B", "t": "T", "d": "D", "k": "K", "g": "G", "f": "F", "v": "V", "s": "S",
    "S": "SH", "x": "HH", "h": "HH", "j": "Y", "m": "M", "n": "N", "N": "NG", "l": "L", "r": "R",
    "i:": "IY", "I": "IH", "e:": "EY", "E": "EH", "E:": "EH", "a": "AA", "A:": "AA", "o:": "OW",
    "O": "AO", "u:": "UW", "U": "UH", "u-:": "UW", "8": "UH", "y:": "UW", "y": "IH", "Y:": "ER",
    "W": "ER", "@": "AH",
}  # fmt: skip
"""The English sound that is nearest to each Swedish one."""

LIKE = {"de": {"u-:": "y:", "8": "W"}}
"""What another language has for our sounds that it lacks: a training may start from its network."""
