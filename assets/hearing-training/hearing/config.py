"""Where things are, and the numbers that several stages share."""

import os
from pathlib import Path

TRAIN_DIR = Path(__file__).resolve().parent.parent
MODEL_DIR = TRAIN_DIR.parent
REPOSITORY = MODEL_DIR.parent.parent
LEXICON = REPOSITORY / "grammar" / "de" / "lexicon.toml"
COMMANDS = REPOSITORY / "grammar" / "de" / "commands.toml"

WORK = Path(os.environ.get("ANNEXD_MODEL_WORK", MODEL_DIR / ".model-work"))
SPEECH = Path(os.environ.get("ANNEXD_SPEECH", REPOSITORY.parent / "shared" / "speech"))

KITS = [Path(folder) for folder in os.environ.get("ANNEXD_KITS", "").split(os.pathsep) if folder]
"""Folders that `annexd record-kit` made and clubs have filled: read as recordings of people."""

SEED = int(os.environ.get("ANNEXD_MODEL_SEED", "2026"))
WORKERS = int(os.environ.get("ANNEXD_MODEL_WORKERS", "2"))

SAMPLE_RATE = 16000
FRAME_SHIFT_S = 0.010
SUBSAMPLING = 3
"""The network answers once for three feature frames."""

# Held out. Nothing that sounds like these is trained on; DEV is tuned on, TEST only reported on.
DEV_VOICES = ("klatt5", "belinda")
TEST_VOICES = ("f4", "m6", "klatt3", "Annie", "pablo", "linda")
DEV_PEOPLE = ("HD-06",)
TEST_PEOPLE = ("HD-07", "HD-08")
TEST_SOURCES = ("voxforge-de4",)
HELD_OUT_WORDS_IN_TEN = 1
"""One gcompris word in ten, chosen by a hash of the word, is kept for tests."""
