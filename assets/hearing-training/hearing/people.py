"""Recordings of people, with pronunciations, and who is held out."""

import hashlib
from dataclasses import dataclass

import numpy as np
import soundfile
from scipy.signal import resample_poly

from . import config, phones
from .language import people as known
from .language import voices

MANIFEST = "MANIFEST.tsv"
EDGE_SHARE = 0.03
EDGE_FLOOR = 20.0
SMOOTH_SAMPLES = 400


@dataclass
class Recording:
    """One recording: words are lists of pronunciation variants."""

    file: str
    text: str
    speaker: str
    source: str
    words: list
    wave: np.ndarray | None = None


def held_out_word(text):
    """Whether this word belongs to the tenth that is never trained on."""
    digest = hashlib.sha256(text.encode()).digest()
    return digest[0] % 10 < config.HELD_OUT_WORDS_IN_TEN


def is_dev(row):
    """Whether a recording of the manifest is held out for development."""
    return row["speaker"] in known.DEV_PEOPLE


def is_test(row):
    """Whether a recording of the manifest is held out for tests."""
    text, speaker, source = row["text"], row["speaker"], row["source"]
    if speaker in known.TEST_PEOPLE or source in known.TEST_SOURCES:
        return True
    return source in known.PARTLY_HELD_OUT and held_out_word(text)


def manifest(speech=config.SPEECH):
    """Rows of the recordings' manifest: file, text, speaker, source, licence; or kind, in a kit."""
    with open(speech / MANIFEST, encoding="utf-8-sig") as file:
        header = file.readline().rstrip("\n").split("\t")
        return [dict(zip(header, line.rstrip("\n").split("\t"))) for line in file]



def called(lexicon, espeak, speakers):
    """What speakers call in an installed game, with pronunciations."""
    result = []
    for speaker in speakers:
        for name, choices in known.calls().items():
            words = [
                [form for word in choice for form in pronounce(word, lexicon, espeak)[0]]
                for choice in choices
            ]
            file = known.KAJONGG / speaker / f"{name}.ogg"
            text = " ".join(choice[0] for choice in choices)
            wave = trim(_at_our_rate(file))
            result.append(Recording(str(file), text, f"kajongg {speaker}", "kajongg", words, wave))
    return result


def callers():
    """Those of the game who may be trained on; none where nobody calls in the language."""
    folder = known.KAJONGG
    found = sorted(path.name for path in folder.iterdir()) if folder and folder.is_dir() else []
    return [name for name in found if name not in known.KAJONGG_TEST]


def _at_our_rate(file):
    wave, rate = soundfile.read(file, dtype="float32")
    wave = wave if wave.ndim == 1 else wave.mean(axis=1)
    divisor = np.gcd(rate, config.SAMPLE_RATE)
    wave = resample_poly(wave, config.SAMPLE_RATE // divisor, rate // divisor)
    return np.clip(wave * 32767, -32767, 32767).astype(np.int16)


def kit(folder, lexicon, espeak):
    """What a speaker recorded of a kit. Lines without a file were left out, as the kit allows.

    A speaker's code is his only in his club, and so is the name of a file: the folder stands before
    both.
    """
    result = []
    for row in manifest(folder):
        text, file = row["text"], folder / row["file"]
        if row["kind"] == "long" and not lexicon.words.keys() >= set(text.split()):
            where = f"{folder / MANIFEST} is not in the language {config.LANGUAGE}"
            raise ValueError(f"{where}: {text}")
        words = pronounce(text, lexicon, espeak) if file.exists() else None
        if words is None:
            continue
        wave = trim(_at_our_rate(file))
        name, speaker = f"{folder.name}/{row['file']}", f"{folder.name} {row['speaker']}"
        result.append(Recording(name, text, speaker, "kit", words, wave))
    if not result:
        raise ValueError(f"{folder} has no recording yet")
    return result


def kit_recordings(lexicon, espeak, folders):
    """The recordings of all kits."""
    folders = [folder.resolve() for folder in folders]
    names = [folder.name for folder in folders]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise ValueError(f"several kits are called {', '.join(doubled)}: rename their folders")
    return [recording for folder in folders for recording in kit(folder, lexicon, espeak)]


def training_recordings(lexicon, espeak, speech=config.SPEECH, kits=config.KITS):
    """All recordings that may be trained on, with audio and pronunciations."""
    result = []
    for row in manifest(speech):
        if row["speaker"] in known.DOUBTFUL_SPEAKERS or not row["text"].strip():
            continue
        if is_dev(row) or is_test(row):
            continue
        text = row["text"]
        if row["source"] in known.LETTER_SOURCES:
            text = letter_text(text)
        words = pronounce(text, lexicon, espeak, known.ABROAD.get(row["source"]))
        if words is None:
            continue
        wave, rate = soundfile.read(speech / row["file"], dtype="int16")
        if rate != config.SAMPLE_RATE:
            raise ValueError(f"{row['file']} is not at {config.SAMPLE_RATE} Hz")
        result.append(
            Recording(row["file"], text, row["speaker"], row["source"], words, trim(wave))
        )
    result += called(lexicon, espeak, callers())
    return result + kit_recordings(lexicon, espeak, kits)


def letter_text(text):
    """Letters are spoken by name."""
    return known.LETTER_NAMES.get(text, text)


def pronounce(text, lexicon, espeak, abroad=None):
    """Pronunciation variants per word: the lexicon's where it has them, else espeak-ng's.

    Words of another language are said by its voice, `abroad`, in the nearest of our phones.
    """
    words = []
    for word in text.lower().split():
        if word in known.SAID_ALONE and not abroad:
            words.append(known.SAID_ALONE[word])
            continue
        if word in lexicon.words and len(word) > 1 and not abroad:
            words.append([list(p) for p in lexicon.words[word].phones])
            continue
        forms = []
        for voice in [abroad] if abroad else voices.PRONOUNCING:
            _, events, length = espeak.say(word, voice=voice)
            try:
                spans = phones.from_espeak(events, length, voice)
            except phones.UnknownPhone:
                return None
            said = [phone for _, _, phone in spans if phone != phones.SILENCE]
            if not said:
                return None
            forms += [list(form) for form in phones.variants(said)]
        words.append([form for number, form in enumerate(forms) if form not in forms[:number]])
    return words or None


def trim(wave):
    """Cut the quiet edges, leaving a little room."""
    level = np.convolve(
        np.abs(wave.astype(np.float32)), np.ones(SMOOTH_SAMPLES) / SMOOTH_SAMPLES, "same"
    )
    loud = np.flatnonzero(level > max(level.max() * EDGE_SHARE, EDGE_FLOOR))
    if not len(loud):
        return wave
    room = config.SAMPLE_RATE // 20
    return wave[max(0, loud[0] - room) : loud[-1] + 2 * room]
