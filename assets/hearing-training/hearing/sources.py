"""Stage "sources": utterances as they were spoken, for a training that makes their rooms itself.

One part is an Ogg Opus file, in which its utterances follow each other without pauses, and a list
of what is said in each. Ten hours are about 90 MB, so that they travel to a machine with a card.
"""

import gzip
import json
import multiprocessing
import os
import random
import time

import numpy as np
import soundfile

from . import config, espeak
from .data import CHUNK, COPIES, RANDOM_VARIANTS, Maker
from .language import voices

FOLDER = config.WORK / "sources"
PEAK = 16000
"""All are equally loud."""
COMPRESSION = float(os.environ.get("ANNEXD_MODEL_COMPRESSION", "0.94"))
"""Of Opus, from 0 to 1: the latter is the smallest."""
SHORTEST_S, LONGEST_S = 0.15, 12.0

_maker = None


def _made(kind, number):
    global _maker
    seed = f"{config.SEED} sources {kind} {number}"
    if _maker is None:
        _maker = Maker(seed)
    _maker.seed(seed)
    waves, entries, copies = [], [], 0
    while copies < CHUNK * COPIES:
        for said in getattr(_maker, kind)():
            if not SHORTEST_S <= len(said.wave) / config.SAMPLE_RATE <= LONGEST_S:
                continue
            wave = np.asarray(said.wave, np.float32)
            waves.append(wave * (PEAK / (np.abs(wave).max() + 1)))
            entries.append(_told(said))
            copies += said.copies
    return np.concatenate(waves).astype(np.int16), entries


def _told(said):
    """Samples, how often they are heard beside others, and what is said in them.

    That is phones with their times in seconds where these are known.
    """
    told = {"samples": len(said.wave), "copies": said.copies}
    if said.spans is None:
        told["words"] = said.words
    else:
        told["spans"] = [
            [round(start, 3), round(end, 3), phone] for start, end, phone in said.spans
        ]
    return told


def make(job):
    """Make and store one part; the hours that are in it, none if it was there."""
    kind, number = job
    path = FOLDER / f"{kind}-{number:03d}.json.gz"
    if path.exists():
        return 0.0
    wave, entries = _made(kind, number)
    soundfile.write(
        FOLDER / f"{kind}-{number:03d}.opus", wave, config.SAMPLE_RATE, format="OGG",
        subtype="OPUS", compression_level=COMPRESSION,
    )  # fmt: skip
    partial = path.with_suffix(".partial")
    with gzip.open(partial, "wt") as file:
        json.dump(entries, file, separators=(",", ":"))
    partial.rename(path)
    return len(wave) / config.SAMPLE_RATE / 3600


def run():
    """Make all parts that are missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    espeak.make_variants(config.WORK / "voices", RANDOM_VARIANTS, random.Random(config.SEED))
    jobs = [(kind, number) for kind, count in voices.SOURCES.items() for number in range(count)]
    started, hours = time.time(), 0.0
    with multiprocessing.Pool(config.WORKERS) as pool:
        for done, length in enumerate(pool.imap_unordered(make, jobs), 1):
            hours += length
            print(
                f"sources {done}/{len(jobs)} {hours:.1f} h made in {time.time() - started:.0f} s",
                flush=True,
            )
