"""The sounds of Danish: the phone set, espeak-ng's names for them, and how people change them.

Long and short vowels are one sound, and so are the stressed vowel of "konge" and the ending of
"løber" (`V`); no two words of the lexicon differ by these alone. `D` is the soft d of "David", `w`
and `j` also end diphthongs. Behind an s, and before one, a stop is neither hard nor soft: it is
written `p t k` there.
"""

CONSONANTS = "p b t d k g f v D s S h m n N l r j w".split()
VOWELS = "i e E a A y Y W u o O V @".split()

_SHORT = {f"?{own}": ours for own, ours in {
    "i": "i", "e": "e", "E": "E", "&": "a", "&#": "a", "A": "A", "y": "y", "W": "W", "W#": "W",
    "u": "u", "o": "o", "0": "O", "O": "O", "V": "V",
}.items()}  # fmt: skip
_LONG = {f"{own}:": own for own in "i e E A y Y W u o O V".split()}
SAME_AS = {
    **_SHORT, **_LONG, "&": "a", "&#": "a", "&:": "a", "a:": "a", "0": "O", "0:": "O", "W#": "W",
    "@-": "@", "3": "V", "3-": "V", "r": "V", "r-": "V", "R": "r", "I": "i", "z": "s", "Z": "S",
    "T": "s", "C": "S", "S;": "S", "s;": "S", "x": "h", "X": "h", "l/3": "l", "l#": "l", "v#": "v",
    "U": "u", "n^": "n",
}  # fmt: skip
TWO_PHONES = {"aI": ("A", "j"), "tS": ("t", "S"), "tS;": ("t", "S"), "dZ": ("d", "j")}
OF_VOICE = {
    "de": {
        "I": ("e",), "U": ("o",), "O": ("V",), "Y": ("Y",), "y": ("y",), "OY": ("V", "j"),
        "aU": ("A", "w"), "aU2": ("A", "w"), "ts": ("t", "s"), "pF": ("p", "f"), "pf": ("p", "f"),
        "ks": ("k", "s"), "UR": ("u", "V"), "3": ("V",), "A:": ("a",), "a:": ("a",), "Q": ("V",),
        "r": ("r",),
    },
}  # fmt: skip
"""What some of espeak-ng's voices say otherwise."""
GOES_ON = ("?", ";")
"""Sounds that espeak-ng names beside the one before, of which they are a part."""
SWALLOWED = ()
NEVER_TWICE = ("V",)
"""The r behind the ending of "løber" is that ending."""

_HARD = {"b": "p", "d": "t", "g": "k"}


def settled(names):
    """espeak-ng's phones as the model has them: beside an s no stop is soft, and r leads to a vowel."""
    beside = list(zip([None, *names], names, [*names[1:], None]))
    return [
        "V" if name == "r" and after not in (*VOWELS, "j")
        else _HARD.get(name, name) if "s" in (before, after)
        else name
        for before, name, after in beside
    ]  # fmt: skip


def variants(phones):
    """A pronunciation and the ways in which Danes shorten it."""
    phones = tuple(phones)
    forms = [phones]
    if len(phones) > 2 and phones[-1] == "@":
        forms.append(phones[:-1])
    if len(phones) > 3 and phones[-2] == "@" and phones[-1] in ("n", "l", "D"):
        forms.append((*phones[:-2], phones[-1]))
    return list(dict.fromkeys(forms))


# The same words as other people say them. espeak-ng has one Danish voice, with soft stops that
# have a voice and hard ones that have little breath. Danes say all stops without voice and put
# breath into the hard ones, nearly an s into t; their soft d is nearly an l to others; their r is
# in the throat, and a vowel behind vowels.
HABIT_SHARE = 0.22
"""How often a speaker has a habit for a sound; else the sound stays espeak-ng's."""
R_SHARE = 0.6
SOFT_D_SHARE = 0.35
SCHWA_SHARE = 0.6
BREATH_SHARE = 0.6

R_BEFORE_VOWELS = ("Q", "Q", "R3", "x", "X", "*", "B")
R_ELSEWHERE = ("3-", "?V", "@", "*", "R")
SOFT_D = ("l", "l#", "@ l", "T", "d", "j")
WITH_BREATH = {"p": ("p h",), "t": ("t s", "t s", "t h"), "k": ("k h", "k x")}
WITHOUT_VOICE = {"b": "p", "d": "t", "g": "k"}
WEAK = ("@", "@-", "V", "?V")
"""Vowels of endings, unless they are stressed."""
_VOWEL_HABITS = {
    "i": ("e", "y"),
    "e": ("i", "E"),
    "E": ("e", "&"),
    "&": ("a", "E", "A"),
    "&#": ("&", "A", "E"),
    "A": ("a", "&"),
    "a": ("&", "A"),
    "y": ("Y", "u"),
    "Y": ("W", "y"),
    "W": ("Y", "W#"),
    "W#": ("W", "V"),
    "u": ("o", "y"),
    "o": ("u", "0"),
    "O": ("0", "A"),
    "0": ("O", "o", "V"),
    "V": ("0", "O", "A", "@"),
}
HABITS = {
    **_VOWEL_HABITS,
    **{f"?{name}": habits for name, habits in _VOWEL_HABITS.items()},
    "?V": ("A", "@", "3", "O", "@ R"),
    "v": ("w", "B", "f"),
    "w": ("v", "?u", "B"),
    "f": ("v",),
    "s": ("s;", "z"),
    "S": ("C", "s;", "Z"),
    "h": ("x",),
    "x": ("h", "C", "X"),
    "N": ("N g", "n"),
    "l": ("l#",),
    "j": ("i", "Z"),
    "k": ("g",),
    "b": ("v",),
}


def said_for(accent, name, before_vowel, before_r):
    """What a speaker says for one of espeak-ng's phonemes, in parts, and the label of each."""
    plain = name.rstrip(":")
    if plain in WITH_BREATH or plain in WITHOUT_VOICE:
        return [(_stop(accent, plain, before_vowel or before_r), plain)]
    if plain == "R":
        return [(accent.habit("R", R_BEFORE_VOWELS, R_SHARE), plain)]
    if plain in ("3-", "r"):
        own = accent.habit("r elsewhere", R_ELSEWHERE, HABIT_SHARE, plain)
        return [(own, plain)]
    if plain == "D":
        return [(accent.habit("D", SOFT_D, SOFT_D_SHARE), plain)]
    if plain == "@-":
        return [(accent.habit("@-", ("@", "@", "@", "?E", "?e"), SCHWA_SHARE), plain)]
    own = accent.habit(plain, HABITS.get(plain, (plain,)), HABIT_SHARE)
    return [(name if own == plain else own, plain)]


def _stop(accent, name, begins):
    """Danes tell hard stops from soft ones by breath, where a strong syllable begins with them."""
    before, after = accent.neighbours
    strong = begins and before not in ("s", "S") and after not in WEAK
    if strong and accent.habit("breath", ("much",), BREATH_SHARE, "little") == "much":
        if name in WITH_BREATH:
            return accent.habit(f"{name} with breath", WITH_BREATH[name], 1)
        return WITHOUT_VOICE[name]
    return accent.habit(name, HABITS.get(name, (name,)), HABIT_SHARE)


POCKETSPHINX = {
    "p": "P", "b": "B", "t": "T", "d": "D", "k": "K", "g": "G", "f": "F", "v": "V", "D": "DH",
    "s": "S", "S": "SH", "h": "HH", "m": "M", "n": "N", "N": "NG", "l": "L", "r": "R", "j": "Y",
    "w": "W", "i": "IY", "e": "IH", "E": "EH", "a": "AE", "A": "AA", "y": "UW", "Y": "ER",
    "W": "ER", "u": "UW", "o": "OW", "O": "AO", "V": "AH", "@": "AH",
}  # fmt: skip
"""The English sound that is nearest to each Danish one."""

LIKE = {
    "de": {
        "D": "l", "w": "u:", "i": "i:", "e": "e:", "y": "y:", "Y": "Y:", "u": "u:", "o": "o:",
        "V": "3", "A": "A:",
    },
}  # fmt: skip
"""What another language has for our sounds that it lacks: see `transfer`."""
