"""Lets the tests import the package above them, and leaves out other languages' tests."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
LANGUAGE = os.environ.get("ANNEXD_MODEL_LANGUAGE", "de")
collect_ignore = [
    folder.name for folder in HERE.iterdir() if folder.is_dir() and folder.name != LANGUAGE
]


@pytest.fixture(scope="session")
def accepts():
    """What a sentence costs in the strict grammar of the language, or None."""
    from hearing.grammar import Strict
    from hearing.lexicon import Lexicon

    acceptor = Strict(Lexicon.read()).build()
    return lambda text: acceptor.cost_of(text.split())


@pytest.fixture(scope="session")
def synthesiser():
    """espeak-ng."""
    from hearing.espeak import Espeak

    return Espeak()
