"""The sounds of German: the phone set, espeak-ng's names for them, and how people change them."""

CONSONANTS = "p b t d k g f v s z S C x h j m n N l r ts".split()
VOWELS = "i: I e: E E: a A: o: O u: U y: y Y: W @ 3 aI aU OY".split()

# espeak-ng's German names that differ from ours, or that foreign words bring in.
SAME_AS = {
    "R": "r", "A": "A:", "E2": "E", ";": "j", "Z": "S", "D": "z", "T": "s", "tS": "S", "w": "v",
    "Q": "O", "V": "a", "i": "I", "e": "e:", "o": "O", "u": "U", "3:": "3", "y2": "y", "@-": "@",
    "a:": "A:", "O:": "o:", "I2": "I", "0": "O", "@2": "@", "l#": "l", "r-": "r", "o2": "O",
    "aa": "A:", "W:": "Y:",
}  # fmt: skip
TWO_PHONES = {
    "UR": ("U", "3"), "pF": ("p", "f"), "pf": ("p", "f"), "ks": ("k", "s"), "dZ": ("d", "S"),
    "aI@": ("aI", "@"),
}  # fmt: skip
OF_VOICE = {}
"""What some of espeak-ng's voices say otherwise."""
GOES_ON = ()
"""Sounds that espeak-ng names beside the one before, of which they are a part."""
SWALLOWED = NEVER_TWICE = ()


def settled(names):
    """espeak-ng's phones as the model has them: an `r` that no vowel follows is vocalised."""
    return [
        "3" if name == "r" and after not in VOWELS else name
        for name, after in zip(names, [*names[1:], None])
    ]


def variants(phones):
    """A pronunciation and the ways in which Germans shorten or colour it."""
    phones = tuple(phones)
    forms = [phones]
    if len(phones) > 2 and phones[-2:] in (("I", "C"), ("I", "k")):
        forms += [(*phones[:-1], "k"), (*phones[:-1], "C")]
    if len(phones) > 3 and phones[-2:] == ("@", "n"):
        before = phones[-3]
        nasal = {"b": "m", "p": "m", "g": "N", "k": "N"}.get(before, "n")
        forms.append((*phones[:-2], nasal))
        if before in ("m", "n"):
            forms.append(phones[:-2])
    for number, phone in enumerate(phones[:-1]):
        if phone == "3" and phones[number + 1] not in VOWELS:
            forms.append((*phones[:number], "r", *phones[number + 1 :]))
    return list(dict.fromkeys(forms))


# The same words as other Germans say them: espeak-ng says every r alike, rolled, at the end of
# "vier" too; people rub it in the throat, roll it with the tongue or hardly touch it, and make a
# vowel of it behind vowels. A network that knows one r takes people's "drei" for "zwei".
HABIT_SHARE = 0.25
"""How often a speaker has a habit for a sound; else the sound stays espeak-ng's."""
R_SHARE = 0.85

# A speaker has one habit for a sound and keeps it: the phonemes that espeak-ng is handed.
R_BEFORE_VOWELS = ("R", "Q", "Q", "x", "x", "x", "X", "X", "X", "*", "w", "B")
HARD_R = {"x", "X"}
"""Rubbed without voice: a stop before it mostly loses its voice too, as in "drei"."""
HARDENED = {"d": ("t", "t", "t h", "d"), "b": ("p", "p", "b"), "g": ("k", "k", "g")}
R_ELSEWHERE = ("3", "3", "3", "@", "a", "a", "x")
HABITS = {
    "ts": ("t s", "s", "t z"),
    "v": ("w", "B", "f"),
    "z": ("s",),
    "f": ("v",),
    "i:": ("i", "I", "i: @"),
    "I": ("i",),
    "e:": ("E", "E:", "e"),
    "E": ("E2", "e", "a"),
    "o:": ("o", "O"),
    "O": ("o", "U"),
    "A:": ("a:", "a"),
    "a": ("A:", "E"),
    "Y:": ("W", "e:"),
    "y": ("y:", "I"),
    "u:": ("u", "U"),
    "aI": ("a I", "A: I", "E I"),
    "aU": ("a U", "A: o"),
    "OY": ("O I", "o y"),
    "C": ("S", "k"),
    "S": ("C", "s"),
    "@": ("E", "I"),
    "3": ("a", "@", "E", "3"),
    "d": ("t",),
    "b": ("p",),
    "g": ("k",),
    "k": ("k h", "x"),
    "t": ("t h", "d"),
    "p": ("p h", "b"),
    "l": ("l#",),
}


def said_for(accent, name, before_vowel, before_r):
    """What a speaker says for one of espeak-ng's phonemes, in parts, and the label of each."""
    if before_r and name in HARDENED and _r(accent) in HARD_R:
        return [(accent.habit(f"{name} before r", HARDENED[name], 1), name)]
    if name == "UR":
        return [("U", "U"), (_r_elsewhere(accent), "3")]
    if name == "r" and not before_vowel:
        return [(_r_elsewhere(accent), "3")]
    if name == "r":
        return [(_r(accent), "r")]
    return [(accent.habit(name, HABITS.get(name, (name,)), HABIT_SHARE), name)]


def _r(accent):
    return accent.habit("r", R_BEFORE_VOWELS, R_SHARE)


def _r_elsewhere(accent):
    return accent.habit("r elsewhere", R_ELSEWHERE, R_SHARE, "r")


POCKETSPHINX = {
    "i:": "IY", "I": "IH", "e:": "EY", "E": "EH", "E:": "EH", "a": "AA", "A:": "AA", "o:": "OW",
    "O": "AO", "u:": "UW", "U": "UH", "y:": "UW", "y": "UH", "Y:": "ER", "W": "ER", "@": "AH",
    "3": "ER", "aI": "AY", "aU": "AW", "OY": "OY", "p": "P", "b": "B", "t": "T", "d": "D",
    "k": "K", "g": "G", "f": "F", "v": "V", "s": "S", "z": "Z", "S": "SH", "C": "SH", "x": "HH",
    "h": "HH", "j": "Y", "m": "M", "n": "N", "N": "NG", "l": "L", "r": "R", "ts": "T S",
}  # fmt: skip
"""The English sound that is nearest to each German one."""

LIKE = {}
"""What another language has for our sounds that it lacks: see `transfer`."""
