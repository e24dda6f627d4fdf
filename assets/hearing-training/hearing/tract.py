"""German spoken by VocalTractLab's model of a German speaker's mouth, throat and vocal folds.

Nothing is recorded or learnt in it: where the tongue goes and how fast decides what is heard. So it
has what espeak-ng and foreign diphones lack: an r that is rubbed in the throat and runs into its
neighbours. It is slow, so there is little of it, in many voices: the size of the mouth, the pitch
and the way the folds meet are drawn anew for every utterance.
"""

import ctypes
import importlib.util
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.signal import resample_poly

from . import config, phones
from .language import voices

OWN_RATE = 44100
LONGEST_S = 12
EDGE_S = 0.1
SHORTEST_PHONE_S = 0.04
STEP = 100
"""Rates are rounded to so many hertz, so that samples can be resampled quickly."""
SMALLEST, LARGEST = 0.88, 1.28
"""How much shorter than the model's the mouth may be: formants are so many times higher."""
USUAL_PITCH_HZ = (75, 150)
"""For a mouth of the model's size, a man's; smaller ones speak higher."""
MANNERS = ("modal", "modal", "modal", "breathy", "pressed", "hoarse", "hoarse2")
HARD_R_SHARE = 0.35
"""How many speakers have no voice in an r behind a stop, as many do in "drei"."""

SOUNDS = voices.TRACT
PACKAGE = "vocaltractlab_cython"


@dataclass
class Order:
    """One utterance to be made: sounds with lengths, our phones with their times, and a voice."""

    sounds: list
    spans: list
    size: float
    pitches_hz: list
    manner: str
    has_hard_r: bool


def order(spans, rng):
    """Plan an utterance from espeak-ng's phone spans, with a voice and a tempo of its own."""
    tempo = rng.uniform(0.75, 1.35)
    size = rng.uniform(SMALLEST, LARGEST)
    base = rng.uniform(*USUAL_PITCH_HZ) * size ** rng.uniform(1, 3.5)
    lively = rng.uniform(0.02, 0.15)
    sounds, planned, now = [("", EDGE_S)], [], EDGE_S
    total = max(spans[-1][1], 0.1)
    pitches = [(EDGE_S, base * 1.12)]
    for start, end, phone in spans:
        length = max((end - start) * tempo, SHORTEST_PHONE_S)
        sounds.append(("" if phone == phones.SILENCE else SOUNDS[phone], length))
        planned.append((now, now + length, phone))
        fall = 1.12 - 0.27 * start / total
        pitches.append((length, base * fall * (1 + lively * rng.uniform(-1, 1))))
        now += length
    sounds.append(("", EDGE_S))
    manner = rng.choice(MANNERS)
    return Order(sounds, planned, size, pitches, manner, rng.random() < HARD_R_SHARE)


class Tract:
    """The synthesiser; one a process, because the library keeps one speaker."""

    def __init__(self):
        found = importlib.util.find_spec(PACKAGE)
        if found is None:
            raise ImportError(f"the Python package {PACKAGE} is missing")
        folder = Path(found.submodule_search_locations[0])
        self._library = ctypes.CDLL(str(folder / "libVocalTractLabApi.so"))
        speaker = folder / "resources" / "JD3.speaker"
        if self._library.vtlInitialize(str(speaker).encode()) != 0:
            raise OSError(f"{speaker} could not be loaded")
        self._samples = (ctypes.c_double * (OWN_RATE * LONGEST_S))()

    def say(self, plan):
        """int16 samples at 16 kHz, or None if it is too long or the synthesiser fails."""
        if sum(length for _, length in plan.sounds) * plan.size > LONGEST_S - 1:
            return None
        with tempfile.TemporaryDirectory() as folder:
            segments, score = Path(folder) / "segments", Path(folder) / "score"
            segments.write_text(
                "".join(
                    f"name = {name}; duration_s = {length * plan.size:.4f};\n"
                    for name, length in plan.sounds
                )
            )
            names = str(segments).encode(), str(score).encode()
            if self._library.vtlSegmentSequenceToGesturalScore(*names, False) != 0:
                return None
            score.write_text(_in_own_voice(score.read_text(), plan))
            count = ctypes.c_int()
            if self._library.vtlGesturalScoreToAudio(
                str(score).encode(), b"", self._samples, ctypes.byref(count), False
            ):
                return None
        return _at_our_rate(np.array(self._samples[: count.value], np.float32), plan.size)


def _in_own_voice(score, plan):
    """The gestural score with the plan's pitch and manner of voice."""
    if plan.has_hard_r:
        score = _with_hard_r(score)
    score = score.replace('value="modal"', f'value="{plan.manner}"')
    tier = "".join(
        _gesture(f"{12 * np.log2(hz / plan.size):.3f}", length * plan.size, 0.03)
        for length, hz in plan.pitches_hz
    )
    opening = '<gesture_sequence type="f0-gestures" unit="st">'
    return re.sub(f"({opening}).*?(</gesture_sequence>)", rf"\1\n{tier}\2", score, flags=re.S)


def _with_hard_r(score):
    """Behind a stop the folds stay open through the r."""
    stop = r'(value="voice(?:d|less)-plosive"[^>]*>\s*)'
    between = r'(<gesture value="modal"[^>]*duration_s="0\.0[0-2][^>]*>\s*)?'
    return re.sub(
        stop + between + '(<gesture value=")voiced-fricative', r"\1\2\3voiceless-fricative", score
    )


def _gesture(value, length, time_constant):
    return (
        f'<gesture value="{value}" slope="0" duration_s="{length:.4f}" '
        f'time_constant_s="{time_constant}" neutral="0" />\n'
    )


def _at_our_rate(wave, size):
    """A smaller mouth is a faster tape: the plan was made that much slower and lower."""
    own = round(OWN_RATE * size / STEP)
    ours = config.SAMPLE_RATE // STEP
    divisor = np.gcd(own, ours)
    wave = resample_poly(wave, ours // divisor, own // divisor)
    return np.clip(wave * (12000 / (np.abs(wave).max() + 1e-9)), -32767, 32767).astype(np.int16)
