"""Where things are, and the numbers that several stages share."""

import os
from pathlib import Path

ASSETS = Path(__file__).resolve().parent.parent.parent
REPOSITORY = ASSETS.parent
LANGUAGE = os.environ.get("ANNEXD_MODEL_LANGUAGE", "de")
MODEL_DIR = ASSETS / f"model-{LANGUAGE}"
LANGUAGE_DIR = MODEL_DIR / "train"
LEXICON = REPOSITORY / "grammar" / LANGUAGE / "lexicon.toml"
COMMANDS = REPOSITORY / "grammar" / LANGUAGE / "commands.toml"

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

# Variants of espeak-ng that are held out. Nothing that sounds like these is trained on; DEV is
# tuned on, TEST only reported on. The languages' `people` and `voices` name the people who are.
DEV_VOICES = ("klatt5", "belinda")
TEST_VOICES = ("f4", "m6", "klatt3", "Annie", "pablo", "linda")
HELD_OUT_WORDS_IN_TEN = 1
"""Where a source has one speaker, one word in ten, chosen by a hash of the word, is for tests."""

DEVICE = os.environ.get("ANNEXD_MODEL_DEVICE", "cpu")
"""Where stage "card" trains: "cuda", on an NVIDIA card. Everything else wants "cpu"."""

CE_STEPS = int(os.environ.get("ANNEXD_MODEL_CE_STEPS", "500"))
MMI_STEPS = int(os.environ.get("ANNEXD_MODEL_MMI_STEPS", "6000"))
LAST_STEPS = int(os.environ.get("ANNEXD_MODEL_LAST_STEPS", "1000"))
"""Steps of the three parts of the training. Without MMI a network of before only goes on."""
