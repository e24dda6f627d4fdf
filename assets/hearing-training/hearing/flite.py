"""The language spoken by Flite's voices, which are made of sentences that people read aloud.

Flite pronounces by itself and tells when each sound ends, so its labels are what it said. Which
voices there are, `voices` of the language says.
"""

import subprocess
import tempfile
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

from . import config, phones
from .language import voices

PAUSE = "pau"
SLOWEST, FASTEST = 1.35, 0.75
"""How much longer or shorter than usual an utterance may be."""
TRAINING_VOICES = voices.FLITE_TRAINING
DEV_VOICES = voices.FLITE_DEV
TEST_VOICES = voices.FLITE_TEST


def say(text, voice, rng):
    """(int16 samples at 16 kHz, phone spans), or None if a sound of it is not known."""
    stretch = rng.uniform(FASTEST, SLOWEST)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "said.wav"
        command = ["flite", "-voice", voice, "--setf", f"duration_stretch={stretch:.3f}"]
        command += ["-psdur", "-t", text, "-o", str(file)]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        wave, rate = soundfile.read(file, dtype="float32")
    divisor = np.gcd(rate, config.SAMPLE_RATE)
    wave = resample_poly(wave, config.SAMPLE_RATE // divisor, rate // divisor)
    spans = spans_of(told)
    if spans is None:
        return None
    return np.clip(wave * 32767, -32767, 32767).astype(np.int16), spans


def spans_of(told):
    """The phones out of what Flite prints: each sound with the second at which it ends."""
    spans, start = [], 0.0
    for entry in told.split():
        name, _, end = entry.rpartition(":")
        phone = phones.SILENCE if name == PAUSE else voices.FLITE.get(name)
        if phone is None:
            return None
        spans.append((start, float(end), phone))
        start = float(end)
    return spans
