"""Moves that people never said, put together from pieces of the words they did say.

The recordings hold digits and single words. A network finds where each phone of them is; then any
text whose phones a speaker has is joined from the middle of one phone to the middle of the next.
It sounds patched, but every sound in it is a person's, which no free synthesiser's is.
"""

from dataclasses import dataclass

import numpy as np

from . import config, features, phones
from .augment import speed
from .language import people as known

RATE = config.SAMPLE_RATE
JOIN = RATE // 100
"""Samples over which two pieces are faded into each other."""
SHIFT = RATE // 250
"""How far a piece may be moved so that its wave fits."""
TRIED = 6
SILENCE_S = 0.04
GAINS = (0.6, 1.6)
SPEEDS = (0.8, 1.25)


@dataclass
class Said:
    """A recording with its phones."""

    wave: np.ndarray
    spans: list
    mel: np.ndarray

    def middle(self, number):
        """The sample at the middle of a phone; a pause is entered and left close to the speech."""
        start, end, phone = self.spans[number]
        if phone == phones.SILENCE:
            number_is_first = number == 0
            edge = end - SILENCE_S if number_is_first else start + SILENCE_S
            return int(min(max(edge, start), end) * RATE)
        return int((start + end) / 2 * RATE)

    def look(self, sample):
        """The sound around a sample, to compare."""
        return self.mel[min(max(sample // features.SHIFT - 1, 0), len(self.mel) - 1)]


class Bank:
    """Everything one speaker said."""

    def __init__(self):
        self.said = []
        self.pairs, self.phones = {}, {}

    def add(self, said):
        """Take a recording in."""
        number = len(self.said)
        self.said.append(said)
        names = [phone for _, _, phone in said.spans]
        for place, phone in enumerate(names):
            self.phones.setdefault(phone, []).append((number, place))
            if place + 1 < len(names):
                self.pairs.setdefault((phone, names[place + 1]), []).append((number, place))

    def can_say(self, names):
        """Whether all phones are there, and most of them beside the right neighbour."""
        if not all(name in self.phones for name in names):
            return False
        lacking = sum(pair not in self.pairs for pair in zip(names, names[1:]))
        return lacking <= known.LOOSE_SHARE * (len(names) - 1)

    def say(self, names, rng):
        """Samples, and the phones with their times in seconds."""
        line = _Line()
        last = None
        for first, second in zip(names, names[1:]):
            last = self._pair(line, first, second, last, rng)
        factor = rng.uniform(*SPEEDS)
        wave = speed(line.wave, factor)
        factor = len(line.wave) / max(len(wave), 1)
        edges = [0, *line.edges, len(line.wave)]
        spans = [
            (start / factor / RATE, end / factor / RATE, name)
            for start, end, name in zip(edges, edges[1:], names)
        ]
        return wave, spans

    def _pair(self, line, first, second, last, rng):
        """Append the end of one phone and the beginning of the next; where that was taken."""
        following = last and (last[0], last[1] + 1)
        choices = self.pairs.get((first, second), [])
        if following in choices:
            choices = [following]
        if choices:
            number, place = self._best(line, choices, rng)
            said = self.said[number]
            edge = int(said.spans[place][1] * RATE)
            line.append(said.wave, said.middle(place), edge, said.middle(place + 1))
            line.look = said.look(said.middle(place + 1))
            return number, place
        number, place = self._best(line, self.phones[first], rng)
        said = self.said[number]
        end = int(said.spans[place][1] * RATE)
        line.append(said.wave, said.middle(place), end, end)
        line.look = said.look(end)
        number, place = rng.choice(self.phones[second])
        said = self.said[number]
        start = int(said.spans[place][0] * RATE)
        line.append(said.wave, start, None, said.middle(place))
        line.look = said.look(said.middle(place))
        return number, place - 1

    def _best(self, line, choices, rng):
        """The piece of a few random ones that fits best to what is there."""
        some = [rng.choice(choices) for _ in range(TRIED)]
        if line.look is None:
            return some[0]
        return min(some, key=lambda one: self._distance(line.look, *one))

    def _distance(self, look, number, place):
        said = self.said[number]
        return float(np.abs(said.look(said.middle(place)) - look).mean())


class _Line:
    """An utterance being joined."""

    def __init__(self):
        self.wave = np.zeros(0, np.float32)
        self.edges = []
        self.look = None

    def append(self, wave, start, edge, end):
        """Add samples from start to end; `edge` is where the next phone begins."""
        if not len(self.wave):
            piece, at = wave[start:end], 0
        else:
            start = self._fitting(wave, start)
            before = min(JOIN, start, len(self.wave))
            piece = wave[start - before : end].astype(np.float32)
            at = len(self.wave) - before
            rise = np.linspace(0, 1, before, dtype=np.float32)
            tail = self.wave[at:]
            count = min(before, len(piece))
            if count:
                loud = np.sqrt(((tail**2).mean() + 1) / ((piece[:count] ** 2).mean() + 1))
                piece = piece * np.float32(np.clip(loud, *GAINS))
                piece[:count] = piece[:count] * rise[:count] + tail[:count] * (1 - rise[:count])
            start -= before
        if edge is not None:
            self.edges.append(at + max(edge - start, 0))
        self.wave = np.concatenate([self.wave[:at], piece])

    def _fitting(self, wave, start):
        """`start`, moved a little so that the periods of the voice go on."""
        tail = self.wave[-JOIN:]
        if len(tail) < JOIN or start < JOIN + SHIFT or start + SHIFT > len(wave):
            return start
        near = wave[start - JOIN - SHIFT : start + SHIFT]
        windows = np.lib.stride_tricks.sliding_window_view(near, JOIN)
        alike = windows @ tail / (np.linalg.norm(windows, axis=1) + 1.0)
        return start - SHIFT + int(np.argmax(alike))


def banks(recordings, found):
    """One bank for every speaker; `found` is what `align.read` gives."""
    result = {}
    for recording in recordings:
        if recording.file not in found:
            continue
        wave = recording.wave.astype(np.float32)
        wave = wave * (8000 / (np.abs(wave).max() + 1))
        said = Said(wave, found[recording.file], features.log_mel(wave))
        result.setdefault(recording.speaker, Bank()).add(said)
    return result
