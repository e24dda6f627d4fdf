"""espeak-ng through its C interface, which also tells when each phoneme starts."""

import ctypes
import shutil
from pathlib import Path

import numpy as np
from scipy.signal import resample_poly

from . import config
from .language import voices

LIBRARY = "libespeak-ng.so.1"
RETRIEVAL = 1  # audio comes to the callback instead of the loudspeaker
PHONEME_EVENTS = 1
EVENT_END, EVENT_PHONEME = 0, 7
RATE, VOLUME, PITCH, RANGE, WORD_GAP = 1, 2, 3, 4, 7
QUIET_ENOUGH = 60  # at the usual 100 many variants clip
CHARS_UTF8 = 1
PHONEMES = 0x100  # phonemes in double brackets are said as they are
SEPARATED = ord("_") << 8


class _Id(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class _Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _Id),
    ]


_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event)
)


class Espeak:
    """One synthesiser per process: the library keeps global state."""

    def __init__(self, data_parent=None):
        """`data_parent` is the folder that holds an `espeak-ng-data`, or None for the system's."""
        self._audio, self._events = [], []
        self._library = ctypes.CDLL(LIBRARY)
        path = str(data_parent).encode() if data_parent else None
        self.rate = self._library.espeak_Initialize(RETRIEVAL, 0, path, PHONEME_EVENTS)
        if self.rate <= 0:
            raise RuntimeError("espeak-ng does not start")
        self._callback = _CALLBACK(self._collect)  # kept: the library holds only a pointer
        self._library.espeak_SetSynthCallback(self._callback)
        self._library.espeak_TextToPhonemes.restype = ctypes.c_char_p

    def _collect(self, samples, count, events):
        if samples and count > 0:
            self._audio.append(np.ctypeslib.as_array(samples, shape=(count,)).copy())
        number = 0
        while events[number].type != EVENT_END:
            event = events[number]
            if event.type == EVENT_PHONEME:
                name = bytes(event.id.string).split(b"\0")[0].decode("utf-8", "replace")
                self._events.append((event.sample / self.rate, name))
            number += 1
        return 0

    def say(self, text, variant="", rate=160, pitch=50, pitch_range=50, word_gap=0, voice=None):
        """Return (int16 samples at 16 kHz, [(start in s, phoneme)], length in s)."""
        self._audio, self._events = [], []
        voice = voice or voices.ESPEAK[0]
        voice = f"{voice}+{variant}" if variant else voice
        if self._library.espeak_SetVoiceByName(voice.encode()) != 0:
            raise ValueError(f"espeak-ng has no voice {voice}")
        for parameter, value in (
            (RATE, rate), (VOLUME, QUIET_ENOUGH), (PITCH, pitch), (RANGE, pitch_range),
            (WORD_GAP, word_gap),
        ):  # fmt: skip
            self._library.espeak_SetParameter(parameter, int(value), 0)
        data = text.encode() + b"\0"
        self._library.espeak_Synth(data, len(data), 0, 1, 0, CHARS_UTF8 | PHONEMES, None, None)
        self._library.espeak_Synchronize()
        audio = np.concatenate(self._audio) if self._audio else np.zeros(0, np.int16)
        divisor = np.gcd(self.rate, config.SAMPLE_RATE)
        wave = resample_poly(
            audio.astype(np.float32), config.SAMPLE_RATE // divisor, self.rate // divisor
        )
        wave = np.clip(wave, -32767, 32767).astype(np.int16)
        return wave, list(self._events), len(audio) / self.rate

    def phonemes(self, text, voice=None):
        """The words of a text as lists of espeak-ng's phonemes, with marks of stress."""
        voice = voice or voices.ESPEAK[0]
        if self._library.espeak_SetVoiceByName(voice.encode()) != 0:
            raise ValueError(f"espeak-ng has no voice {voice}")
        kept = ctypes.create_string_buffer(text.encode())
        rest = ctypes.c_void_p(ctypes.addressof(kept))
        words = []
        while rest.value:
            clause = self._library.espeak_TextToPhonemes(
                ctypes.byref(rest), CHARS_UTF8, SEPARATED
            )
            words += [word.split("_") for word in clause.decode().split()]
        return words


SYSTEM_DATA = (
    Path("/usr/lib/x86_64-linux-gnu/espeak-ng-data"),
    Path("/usr/lib/aarch64-linux-gnu/espeak-ng-data"),
    Path("/usr/share/espeak-ng-data"),
)
LANGUAGES = Path("lang")


def any_voice(rng):
    """One of the language's voices."""
    return voices.ESPEAK[0] if len(voices.ESPEAK) == 1 else rng.choice(voices.ESPEAK)


def random_variant(rng, number):
    """A voice file of a person who does not exist: own throat, pitch, breath and rhythm.

    espeak-ng's own sixty variants are few; hundreds of random ones keep the network from
    learning voices instead of sounds.
    """
    throat = rng.uniform(0.88, 1.30)
    base = rng.uniform(65, 130) * (1.0 if throat < 1.08 else 1.7)
    lines = [
        "language variant",
        f"name annexd{number}",
        f"gender {'male' if throat < 1.08 else 'female'}",
    ]
    if rng.random() < 0.25:
        lines.append(f"klatt {rng.randint(1, 6)}")
    lines.append(f"pitch {base:.0f} {base * rng.uniform(1.1, 1.8):.0f}")
    for formant in range(9):
        frequency = 100 * (throat if formant else 1.0) * rng.uniform(0.94, 1.06)
        lines.append(
            f"formant {formant} {frequency:.0f} "
            f"{rng.uniform(60, 140):.0f} {rng.uniform(80, 180):.0f}"
        )
    lines.append(f"intonation {rng.randint(1, 4)}")
    lines.append(f"flutter {rng.randint(0, 6)}")
    lines.append(f"roughness {rng.choice([0, 0, 0, 1, 2, 3])}")
    lines.append(f"voicing {rng.uniform(40, 120):.0f}")
    lines.append(f"consonants {rng.uniform(60, 150):.0f} {rng.uniform(60, 150):.0f}")
    if rng.random() < 0.4:
        lines.append("breath " + " ".join(f"{rng.uniform(0, 60):.0f}" for _ in range(8)))
        lines.append("breathw " + " ".join(f"{rng.uniform(100, 600):.0f}" for _ in range(8)))
    if rng.random() < 0.4:
        low, high = rng.uniform(60, 255), rng.uniform(20, 255)
        lines.append(f"tone 300 {low:.0f} 1500 {rng.uniform(80, 255):.0f} 4000 {high:.0f}")
    stress = " ".join(f"{rng.uniform(-30, 40):.0f}" for _ in range(8))
    lines.append(f"stressAdd {stress}")
    return "\n".join(lines) + "\n"


def make_variants(parent, count, rng):
    """Copy espeak-ng's data to `parent` and add `count` random variants; return their names."""
    target = Path(parent) / "espeak-ng-data"
    names = [f"annexd{number}" for number in range(count)]
    if not target.exists():
        source = next(path for path in SYSTEM_DATA if path.exists())
        partial = target.with_name("espeak-ng-data.partial")
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(source, partial, ignore=shutil.ignore_patterns("*_dict", "lang", "mb*"))
        # espeak-ng lists at most 349 voices, so other languages and MBROLA voices make room.
        for name in voices.ESPEAK_FILES:
            (partial / LANGUAGES / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / LANGUAGES / name, partial / LANGUAGES / name)
        for language in voices.DICTIONARIES:
            shutil.copy(source / f"{language}_dict", partial)
        for number, name in enumerate(names):
            text = random_variant(rng, number)
            (partial / "voices" / "!v" / name).write_text(text)
        partial.rename(target)
    return names
