"""Stage "install": puts the finished model where the program finds it."""

import shutil

from . import config
from .export import GARBAGE, GARBAGE_COUNTED, MODEL_FILES


def run():
    """Copy the model files and their sums from the work folder."""
    for name in (*MODEL_FILES, "SHA256SUMS"):
        target = config.MODEL_DIR / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(config.WORK / "model" / name, target)
    shutil.copy(GARBAGE_COUNTED, GARBAGE)
    print(f"install: {config.MODEL_DIR}")
