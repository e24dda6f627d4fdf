"""The language spoken by Festival's diphone voices, all free, all real people.

Foreign ones have accents and lack some sounds, but their timbre is a person's, which espeak-ng's is
not. espeak-ng says what to say and how long each sound lasts; words with sounds that a voice
cannot make are left out. Which voices there are, `voices` of the language says.
"""

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import resample_poly

from . import config, phones
from .language import voices

PAUSE = "#"
SHORTEST_PHONE_S = 0.035
EDGE_S = 0.12


def _table(text):
    """`ours=own+own …` as a dictionary to lists."""
    pairs = (entry.split("=") for entry in text.split())
    return {name: own.split("+") for name, own in pairs}


@dataclass(frozen=True)
class Voice:
    """A Festival voice and its person's usual pitch."""

    command: str
    table: dict
    pitch_hz: float
    pause: str = PAUSE
    pronounced_by: str | None = None
    """espeak-ng's voice that tells what to say; None for any of the language's."""

    def __hash__(self):
        return hash(self.command)


FOREIGN = {
    "dita": ("voice_czech_dita", voices.CZECH, 200),
    "krb": ("voice_czech_krb", voices.CZECH, 180),
    "machac": ("voice_czech_machac", voices.CZECH, 110),
    "ph": ("voice_czech_ph", voices.CZECH, 105),
    "lj": ("voice_suo_fi_lj_diphone", voices.FINNISH, 190),
    "mv": ("voice_hy_fi_mv_diphone", voices.FINNISH, 105),
    "lp": ("voice_lp_diphone", voices.ITALIAN, 190),
    "pc": ("voice_pc_diphone", voices.ITALIAN, 115),
}
"""Command, sounds, and the person's usual pitch in hertz."""
VOICES = {
    name: Voice(command, _table(table), *rest)
    for name, (command, table, *rest) in {**voices.FESTIVAL, **FOREIGN}.items()
}
TRAINING_VOICES = (*voices.FESTIVAL_TRAINING, "dita", "krb", "lj", "mv")
DEV_VOICES = ("machac", "lp")
TEST_VOICES = ("ph", "pc")


def can_say(voice, spans):
    """Whether the voice has all the sounds."""
    return all(phone == phones.SILENCE or phone in voice.table for _, _, phone in spans)


@dataclass
class Order:
    """One utterance to be made: Festival segments, and our phones with their times."""

    voice: Voice
    segments: list
    spans: list


def order(voice, spans, rng):
    """Plan an utterance from espeak-ng's phone spans, with a pitch and tempo of its own."""
    tempo = rng.uniform(0.8, 1.3)
    base = voice.pitch_hz * rng.uniform(0.8, 1.25)
    lively = rng.uniform(0.02, 0.15)
    segments, planned, now = [(voice.pause, EDGE_S, base)], [], EDGE_S
    total = max(spans[-1][1], 0.1)
    for start, end, phone in spans:
        length = max((end - start) * tempo, SHORTEST_PHONE_S)
        own = [voice.pause] if phone == phones.SILENCE else voice.table[phone]
        for name in own:
            fall = 1.12 - 0.27 * start / total
            pitch = base * fall * (1 + lively * rng.uniform(-1, 1))
            segments.append((name, length / len(own), pitch))
        planned.append((now, now + length, phone))
        now += length
    segments.append((voice.pause, EDGE_S, base))
    return Order(voice, segments, planned)


def _scheme(number, plan, folder):
    parts = " ".join(f"({n} {length:.3f} (0 {pitch:.0f}))" for n, length, pitch in plan.segments)
    return (
        f"(set! u (utt.synth (Utterance Segments ({parts}))))\n"
        f'(utt.save.wave u "{folder}/{number}.wav" \'riff)\n'
    )


def speak(orders):
    """Make all orders in one run of Festival: int16 samples at 16 kHz for each, or None."""
    with tempfile.TemporaryDirectory() as folder:
        lines, voice = [], None
        for number in sorted(range(len(orders)), key=lambda n: orders[n].voice.command):
            plan = orders[number]
            if plan.voice is not voice:
                voice = plan.voice
                lines.append(f"({voice.command})\n")
            lines.append(_scheme(number, plan, folder))
        script = Path(folder) / "orders.scm"
        script.write_text("".join(lines))
        subprocess.run(
            ["festival", "-b", str(script)],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return [_read(Path(folder) / f"{number}.wav") for number in range(len(orders))]


def _read(file):
    if not file.exists():
        return None
    wave, rate = soundfile.read(file, dtype="float32")
    divisor = np.gcd(rate, config.SAMPLE_RATE)
    wave = resample_poly(wave, config.SAMPLE_RATE // divisor, rate // divisor)
    return np.clip(wave * 20000, -32767, 32767).astype(np.int16)
