import random

import numpy as np
import pytest

from hearing import config, features, phones
from hearing.align import align, line, read
from hearing.data import Graph
from hearing.net import Net
from hearing.units import Bank, Said

RATE = config.SAMPLE_RATE


def said(names, length_s=0.2):
    """A recording in which every phone is a tone of its own."""
    count = int(length_s * RATE)
    times = np.arange(count) / RATE
    wave = [4000 * np.sin(2 * np.pi * tone_of(name) * times) for name in names]
    wave = np.concatenate(wave).astype(np.float32)
    spans = [(n * length_s, (n + 1) * length_s, name) for n, name in enumerate(names)]
    return Said(wave, spans, features.log_mel(wave))


def tone_of(name):
    return 0 if name == phones.SILENCE else 200 + 150 * phones.INDEX[name]


def strongest(wave):
    power = np.abs(np.fft.rfft(wave * np.hanning(len(wave))))
    return np.argmax(power) * RATE / len(wave)


@pytest.fixture
def bank():
    result = Bank()
    result.add(said(["SIL", "f", "i:", "3", "SIL"]))
    result.add(said(["SIL", "a", "x", "t", "SIL"]))
    result.add(said(["SIL", "t", "i:", "f", "SIL"]))
    return result


def test_a_word_nobody_said_is_joined_from_pieces(bank):
    names = ["SIL", "t", "i:", "3", "SIL"]
    assert bank.can_say(names)
    for seed in range(20):
        wave, spans = bank.say(names, random.Random(seed))
        assert [name for _, _, name in spans] == names
        assert spans[0][0] == 0 and spans[-1][1] == pytest.approx(len(wave) / RATE, abs=0.01)
        for (_, end, _), (start, _, _) in zip(spans, spans[1:]):
            assert end == pytest.approx(start)
        for start, end, name in spans[1:-1]:
            middle = int((start + end) / 2 * RATE)
            heard = strongest(wave[middle - 400 : middle + 400])
            # What is joined may also have been made faster or slower, and so higher or lower.
            assert 0.75 < heard / tone_of(name) < 1.35, (name, heard)


def test_sounds_that_a_speaker_never_made_cannot_be_joined(bank):
    assert not bank.can_say(["SIL", "o:", "SIL"])
    assert not bank.can_say(["SIL", "x", "3", "a", "SIL"])


def test_an_alignment_follows_the_order_of_what_is_said():
    graph = Graph.of_words([[("f", "i:", "3")]])
    found, score = align(Net().eval(), np.zeros(RATE, np.float32), graph)
    names = [name for _, _, name in found if name != phones.SILENCE]
    assert names == ["f", "i:", "3"]
    assert score < 0
    for (_, end, _), (start, _, _) in zip(found, found[1:]):
        assert end == pytest.approx(start)


def test_a_sound_that_is_too_short_is_not_aligned():
    graph = Graph.of_words([[("f", "i:", "3")]])
    assert align(Net().eval(), np.zeros(0, np.float32), graph) is None


def test_the_phones_that_were_found_are_kept(tmp_path):
    spans = [(0.0, 0.06, "SIL"), (0.06, 0.15, "f"), (0.15, 0.18, "i:")]
    file = tmp_path / "people-phones.tsv"
    file.write_text(line("hd/fier.flac", spans) + line("other.flac", [(0.0, 0.03, "a")]))
    found = read(file)
    assert [name for _, _, name in found["hd/fier.flac"]] == ["SIL", "f", "i:"]
    for got, wanted in zip(found["hd/fier.flac"], spans):
        assert got[:2] == pytest.approx(wanted[:2])
    assert list(found) == ["hd/fier.flac", "other.flac"]


def test_the_kept_table_has_everybody_who_may_be_trained_on():
    names = {name.split("/")[0] for name in read()}
    assert "heidelberg" in names
    held_out = [name for name in read() if "s06_" in name or "s07_" in name or "s08_" in name]
    assert not held_out
