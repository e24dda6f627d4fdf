"""Filled kits of `annexd record-kit` are trained on as recordings of people."""

import importlib
import os
from pathlib import Path

import numpy as np
import pytest
import soundfile

from hearing import config, people
from hearing.lexicon import Lexicon

LEXICON = Lexicon.read()
ROWS = (
    ("001.wav", "springer gustav eins felix drei", "long"),
    ("002.wav", "kurze rochade", "form"),
    ("003.wav", "mein hund wartet draußen", "talk"),
)


class Espeak:
    """Says every word alike."""

    def say(self, word, voice=None):
        return None, [(0.0, "t"), (0.1, "U")], 0.2


def make_kit(folder, rows=ROWS, recorded=ROWS, rate=48000):
    folder.mkdir()
    lines = ["file\ttext\tspeaker\tkind", *(f"{f}\t{t}\ts1\t{k}" for f, t, k in rows)]
    text = "\ufeff" + "".join(f"{line}\n" for line in lines)
    (folder / people.MANIFEST).write_text(text, encoding="utf-8")
    tone = 0.3 * np.sin(2 * np.pi * 300 * np.arange(rate) / rate)
    wave = np.concatenate([np.zeros(rate), tone, np.zeros(rate)])
    for file, _, _ in recorded:
        soundfile.write(folder / file, wave, rate, subtype="PCM_16")
    return folder


def test_a_kit_is_read_at_our_rate_with_pronunciations(tmp_path):
    folder = make_kit(tmp_path / "club")
    recordings = people.kit_recordings(LEXICON, Espeak(), [folder])
    assert [recording.text for recording in recordings] == [text for _, text, _ in ROWS]
    first = recordings[0]
    assert (first.file, first.speaker, first.source) == ("club/001.wav", "club s1", "kit")
    assert first.words[2] == [list(form) for form in LEXICON.words["eins"].phones]
    assert first.wave.dtype == np.int16
    assert 0.9 < len(first.wave) / config.SAMPLE_RATE < 1.4
    assert recordings[2].words[1] == [["t", "U"]]


def test_kits_are_trained_on(tmp_path):
    speech = tmp_path / "speech"
    speech.mkdir()
    (speech / people.MANIFEST).write_text("file\ttext\tspeaker\tsource\tlicence\n")
    kits = [make_kit(tmp_path / "club")]
    recordings = people.training_recordings(LEXICON, Espeak(), speech, kits)
    assert sum(recording.source == "kit" for recording in recordings) == len(ROWS)


def test_the_environment_names_the_folders(monkeypatch):
    monkeypatch.setenv("ANNEXD_KITS", os.pathsep.join(["one", "two"]))
    try:
        assert importlib.reload(config).KITS == [Path("one"), Path("two")]
    finally:
        monkeypatch.undo()
        importlib.reload(config)


def test_lines_that_were_left_out_are_no_fault(tmp_path):
    folder = make_kit(tmp_path / "club", recorded=ROWS[1:2], rate=16000)
    recordings = people.kit_recordings(LEXICON, Espeak(), [folder])
    assert [recording.file for recording in recordings] == ["club/002.wav"]


def test_speakers_of_two_clubs_are_not_one(tmp_path):
    folders = [make_kit(tmp_path / name) for name in ("one", "two")]
    recordings = people.kit_recordings(LEXICON, Espeak(), folders)
    assert {recording.speaker for recording in recordings} == {"one s1", "two s1"}
    assert len({recording.file for recording in recordings}) == 2 * len(ROWS)
    (tmp_path / "other").mkdir()
    folders.append(make_kit(tmp_path / "other" / "one"))
    with pytest.raises(ValueError, match="several kits are called one"):
        people.kit_recordings(LEXICON, Espeak(), folders)


def test_an_empty_kit_and_one_of_another_language_are_refused(tmp_path):
    empty = make_kit(tmp_path / "empty", recorded=())
    with pytest.raises(ValueError, match="empty has no recording yet"):
        people.kit_recordings(LEXICON, Espeak(), [empty])
    rows = [("001.wav", "knight gustav one felix three", "long")]
    english = make_kit(tmp_path / "english", rows)
    with pytest.raises(ValueError, match="is not in the language de: knight"):
        people.kit_recordings(LEXICON, Espeak(), [english])
