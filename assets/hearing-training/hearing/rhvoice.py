"""The language spoken by RHVoice's voices, statistical models of people who read sentences aloud.

RHVoice pronounces by itself and does not tell when a sound ends, so the words are labelled as
people's are, with all their pronunciations. Which voices there are, `voices` of the language says.
"""

import subprocess
import tempfile
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

from . import config
from .language import voices

SLOWEST, FASTEST = 70, 150
LOWEST, HIGHEST = 80, 125
"""Per cent of the voice's usual rate and pitch."""
TRAINING_VOICES = voices.RHVOICE_TRAINING


def say(text, voice, rng):
    """int16 samples at 16 kHz."""
    rate, pitch = rng.randint(SLOWEST, FASTEST), rng.randint(LOWEST, HIGHEST)
    with tempfile.TemporaryDirectory() as folder:
        written, spoken = Path(folder) / "text.txt", Path(folder) / "said.wav"
        written.write_text(text)
        command = ["RHVoice-test", "-p", voice, "-r", str(rate), "-t", str(pitch)]
        command += ["-i", str(written), "-o", str(spoken)]
        subprocess.run(command, check=True, capture_output=True)
        wave, own_rate = soundfile.read(spoken, dtype="float32")
    divisor = np.gcd(own_rate, config.SAMPLE_RATE)
    wave = resample_poly(wave, config.SAMPLE_RATE // divisor, own_rate // divisor)
    return np.clip(wave * 32767, -32767, 32767).astype(np.int16)
