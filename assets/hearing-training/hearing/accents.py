"""The same words as other Germans say them.

espeak-ng says every r alike, rolled, at the end of "vier" too; people rub it in the throat, roll it
with the tongue or hardly touch it, and make a vowel of it behind vowels. A network that knows one r
takes people's "drei" for "zwei". So espeak-ng is handed phonemes instead of words, some of them
exchanged, while the label stays what the lexicon has.
"""

from . import phones

HABIT_SHARE = 0.25
"""How often a speaker has a habit for a sound; else the sound stays espeak-ng's."""
R_SHARE = 0.85

# A speaker has one habit for a sound and keeps it. A habit is the phonemes that espeak-ng is handed.
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
STRESS = "',%="
SEPARATOR = "|"


class Accent:
    """A speaker's habits."""

    def __init__(self, rng):
        self._random = rng
        self._kept = {}

    def say(self, words):
        """espeak-ng's text for `words`, lists of its phonemes, and the labels of what it will say.

        A label is the name that espeak-ng would have used itself; None goes on with the one before.
        """
        text, labels = [], []
        for word in words:
            said = [name for name in word if not _is_pause(name)]
            parts = []
            for number, phoneme in enumerate(said):
                stress = "".join(letter for letter in phoneme if letter in STRESS)
                name = phoneme.strip(STRESS)
                before_vowel = number + 1 < len(said) and _is_vowel(said[number + 1])
                before_r = number + 2 < len(said) and said[number + 1].strip(STRESS) == "r"
                for own, label in self._own(name, before_vowel, before_r):
                    parts.append(stress + own)
                    labels.append(label)
                    stress = ""
            text.append(SEPARATOR.join(parts))
        return f"[[{' '.join(text)}]]", labels

    def _own(self, name, before_vowel, before_r):
        """What is said for a phoneme, each with its label."""
        if before_r and name in HARDENED and self._r() in HARD_R:
            own = self._habit(f"{name} before r", HARDENED[name], 1).split()
            return [(own[0], name), *((part, None) for part in own[1:])]
        if name == "UR":
            return [("U", "U"), (self._r_elsewhere(), "3")]
        if name == "r" and not before_vowel:
            return [(self._r_elsewhere(), "3")]
        if name == "r":
            return [(self._r(), "r")]
        own = self._habit(name, HABITS.get(name, (name,)), HABIT_SHARE).split()
        return [(own[0], name), *((part, None) for part in own[1:])]

    def _r(self):
        return self._habit("r", R_BEFORE_VOWELS, R_SHARE)

    def _r_elsewhere(self):
        return self._habit("r elsewhere", R_ELSEWHERE, R_SHARE, "r")

    def _habit(self, sound, choices, share, usual=None):
        if sound not in self._kept:
            has = self._random.random() < share
            self._kept[sound] = self._random.choice(choices) if has else (usual or sound)
        return self._kept[sound]


def _is_pause(name):
    return name.strip(STRESS + "!") in phones.PAUSES or name.startswith("_")


def _is_vowel(name):
    name = name.strip(STRESS)
    return phones.SAME_AS.get(name, name) in phones.VOWELS


def relabelled(events, labels):
    """espeak-ng's events with the names of the labels, or None if it said other sounds."""
    sounds = [number for number, (_, name) in enumerate(events) if not _is_pause(name)]
    if len(sounds) != len(labels):
        return None
    label_of = dict(zip(sounds, labels))
    return [
        (start, label_of.get(number, name))
        for number, (start, name) in enumerate(events)
        if label_of.get(number, name) is not None
    ]
