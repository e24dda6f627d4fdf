"""Lets the tests import the package above them, and leaves out other languages' tests."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
LANGUAGE = os.environ.get("ANNEXD_MODEL_LANGUAGE", "de")
collect_ignore = [
    folder.name for folder in HERE.iterdir() if folder.is_dir() and folder.name != LANGUAGE
]
