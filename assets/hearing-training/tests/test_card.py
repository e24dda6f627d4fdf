"""Rooms, sources and packed graphs, without a card."""

import math
import random

import numpy as np
import pytest
import torch

from hearing import card, features, rooms
from hearing.mmi import Chain
from hearing.spoken import Graph


def generator():
    return torch.Generator().manual_seed(1)


def test_the_features_are_those_of_the_recogniser():
    wave = np.random.default_rng(1).normal(0, 1000, 16000).astype(np.float32)
    ours = rooms.log_mel(torch.from_numpy(wave)[None])[0].numpy()
    assert np.abs(ours - features.log_mel(wave)).max() < 1e-3


@pytest.mark.parametrize(("hertz", "least_db"), [(300, 50), (3000, 45), (6000, 30)])
def test_a_tone_at_another_speed_is_another_tone(hertz, least_db):
    time = torch.arange(16000) / 16000
    tone = (torch.sin(2 * math.pi * hertz * time) * 16000).to(torch.int16)
    start, length = torch.zeros(1, 1, dtype=torch.int64), torch.tensor([[16000]])
    speed, before = torch.tensor([[0.9]]), torch.tensor([[100.3]])
    heard = rooms.at_speed(tone, start, length, speed, before, 17000)[0]
    source = (torch.arange(17000) - 100.3) * 0.9 / 16000
    wanted = torch.sin(2 * math.pi * hertz * source) * 16000
    inner = slice(500, 16000)
    wrong = (heard - wanted)[inner].square().mean()
    assert 10 * torch.log10(wanted[inner].square().mean() / wrong) > least_db
    assert heard[:80].abs().max() < 100


def test_echoes_have_energy_one_and_no_direct_sound():
    bank = rooms.echoes(generator(), 5, 5)
    assert bank.shape == (10, rooms.ECHO)
    assert torch.allclose(bank.square().sum(1), torch.ones(10), atol=1e-3)
    assert bank[:5, :16].abs().max() == 0


def test_an_echo_comes_behind_the_voice():
    wave, echo = torch.zeros(1, 4000), torch.zeros(1, rooms.ECHO)
    wave[0, 100], echo[0, 50] = 1, 0.5
    heard = rooms.convolved(wave, echo)
    assert heard.shape == wave.shape
    assert heard[0, 150].item() == pytest.approx(0.5, abs=1e-4)
    assert heard[0, :149].abs().max() < 1e-4


def test_a_microphone_hears_whole_numbers_of_16_bits():
    rng = generator()
    waves = (torch.randn(80000, generator=rng) * 5000).to(torch.int16)
    noises = (torch.tensor([60000]), torch.tensor([9000]))
    heard = rooms.Rooms(rng, waves, (0, 60000), noises, rooms.echoes(rng, 3, 3))
    for _ in range(5):
        result = heard.heard(torch.randn(12, 16000, generator=rng) * 0.1)
        assert result.shape == (12, 16000)
        assert torch.equal(result, result.round())
        assert result.abs().max() <= 32767


def test_uneven_time_begins_with_the_first_frame_and_ends_in_the_last():
    counts = torch.tensor([100, 200, 30])
    places, used = rooms.uneven(generator(), counts, 1.0)
    for row, count in enumerate(counts.tolist()):
        mine = places[row, : used[row]]
        assert mine[0] == 0
        assert (mine[1:] > mine[:-1]).all()
        assert mine[-1] <= count - 1
    places, used = rooms.uneven(generator(), counts, 0.0)
    assert used.tolist() == counts.tolist()
    assert places[0, :100].tolist() == list(range(100))


def test_packed_graphs_are_the_chains():
    names = [["t", "u"], ["a"]] if "u" in card.phones.INDEX else [["t"], ["a"]]
    names = [[name for name in word if name in card.phones.INDEX] or ["t"] for word in names]
    graphs = [Graph.of_words([[names[0]], [names[1], names[0]]]), Graph.of_silence()]
    each = [(graph.nodes, graph.followers, graph.starts, graph.ends) for graph in graphs]
    chain = Chain.count(each, random.Random(1))
    packed = card.Packed(graphs, chain).batch([1, 0])
    for ours, theirs in zip(packed, chain.said([each[1], each[0]])):
        assert torch.allclose(ours, theirs)


def test_labels_are_the_phones_of_every_hundredth():
    phone = card.phones.PHONES[3]
    entry = {"samples": 16000, "spans": [[0.0, 0.1, "SIL"], [0.1, 0.3, phone]]}
    labels = card._labels(entry)
    assert len(labels) == 101
    assert labels[5] == 0
    assert set(labels[10:30]) == {3}
    assert labels[30] == 0
