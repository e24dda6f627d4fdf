"""The same words as other people say them.

espeak-ng says every sound alike; people have habits, which `sounds` of the language lists. So
espeak-ng is handed phonemes instead of words, some of them exchanged, while the label stays what
the lexicon has.
"""

from . import phones
from .language import sounds

STRESS = "',%="
SEPARATOR = "|"


class Accent:
    """A speaker's habits."""

    def __init__(self, rng):
        self._random = rng
        self._kept = {}
        self.neighbours = (None, None)
        """What espeak-ng has in the word before and behind the sound to be said."""

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
                around = [None, *said, None]
                self.neighbours = (around[number], around[number + 2])
                before_vowel = number + 1 < len(said) and _is_vowel(said[number + 1])
                before_r = number + 2 < len(said) and said[number + 1].strip(STRESS) == "r"
                for own, label in sounds.said_for(self, name, before_vowel, before_r):
                    for place, part in enumerate(own.split()):
                        parts.append(stress + part)
                        labels.append(None if place else label)
                        stress = ""
            text.append(SEPARATOR.join(parts))
        return f"[[{' '.join(text)}]]", labels

    def habit(self, sound, choices, share, usual=None):
        """One of the choices or, mostly, what is usual; the same whenever it is asked for."""
        if sound not in self._kept:
            has = self._random.random() < share
            self._kept[sound] = self._random.choice(choices) if has else (usual or sound)
        return self._kept[sound]


def _is_pause(name):
    return name.strip(STRESS + "!") in phones.PAUSES or name.startswith("_")


def _is_vowel(name):
    name = name.strip(STRESS)
    return sounds.SAME_AS.get(name, name) in phones.VOWELS


def relabelled(events, labels):
    """espeak-ng's events with the names of the labels, or None if it said other sounds."""
    heard = [number for number, (_, name) in enumerate(events) if not _is_pause(name)]
    if len(heard) != len(labels):
        return None
    label_of = dict(zip(heard, labels))
    return [
        (start, label_of.get(number, name))
        for number, (start, name) in enumerate(events)
        if label_of.get(number, name) is not None
    ]
