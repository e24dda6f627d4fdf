"""Stage "other_voices": long moves by voices of another kind, for figures only.

MBROLA's voices are people's recorded diphones and pico2wave's are a synthesiser of its own; none
was ever trained on. They are not free for every use: the set is made of what is installed and stays
in the work folder. With another `ANNEXD_MODEL_SEED` come other moves.
"""

import io
import random
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

from . import config, people, texts
from .eval_sets import RATES
from .language import voices
from .lexicon import Lexicon

MBROLA = Path("/usr/share/mbrola")
PICO = "pico-"
MOVES = 100
LOUDEST = 12000
QUIET_S = (0.1, 0.6)
ROOM = 3


def installed():
    """Those of the voices that this machine has."""
    found = [name for name in voices.MBROLA if (MBROLA / name).is_dir()]
    has_pico = shutil.which("pico2wave") is not None
    return found + [PICO + name for name in voices.PICO if has_pico]


def say(text, voice, rng):
    """Samples at our rate, as a recording starts and ends."""
    if voice.startswith(PICO):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "said.wav"
            command = ["pico2wave", "-l", voice.removeprefix(PICO), "-w", file, text]
            subprocess.run(command, check=True)
            wave, rate = soundfile.read(file, dtype="float64")
    else:
        speed = str(rng.choice(RATES))
        command = ["espeak-ng", "-v", f"mb-{voice}", "-s", speed, "--stdout", text]
        sound = subprocess.run(command, check=True, capture_output=True)
        wave, rate = soundfile.read(io.BytesIO(sound.stdout), dtype="float64")
    wave = resample_poly(wave, config.SAMPLE_RATE, rate)
    wave = wave * (LOUDEST / (np.abs(wave).max() + 1e-9))
    before, after = (np.zeros(int(rng.uniform(*QUIET_S) * config.SAMPLE_RATE)) for _ in "ab")
    wave = np.concatenate([before, wave, after])
    hiss = np.random.default_rng(rng.getrandbits(64)).standard_normal(len(wave))
    return np.clip(np.round(wave + ROOM * hiss), -32768, 32767).astype(np.int16)


def run():
    """Make the set."""
    folder = config.WORK / "eval" / f"other-{config.SEED}"
    folder.mkdir(parents=True, exist_ok=True)
    announcements = texts.Announcements(Lexicon.read())
    lines = ["file\ttext\tspeaker\tkind\n"]
    for voice in installed():
        rng = random.Random(f"{config.SEED} {voice}")
        for number in range(MOVES):
            words = announcements.long_move(rng)
            text = " ".join(texts.SPELLINGS.get(word, [word])[0] for word in words)
            file = f"{voice}-{number:03d}.flac"
            soundfile.write(folder / file, say(text, voice, rng), config.SAMPLE_RATE)
            lines.append(f"{file}\t{' '.join(words)}\t{voice}\tlong\n")
        print(f"other_voices: {voice}", flush=True)
    (folder / people.MANIFEST).write_text("".join(lines), encoding="utf-8")
