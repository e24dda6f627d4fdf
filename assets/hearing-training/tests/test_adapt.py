"""A network that is tuned to one speaker hears him better and stays the same size."""

import random

import numpy as np
from test_folded import sound, trained

from hearing import adapt, folded, phones
from hearing.mmi import Chain


def graph(*names):
    """One path of phones between pauses."""
    nodes = [phones.INDEX[name] for name in (phones.SILENCE, *names, phones.SILENCE)]
    followers = [[number + 1] for number in range(len(nodes) - 1)] + [[]]
    return nodes, followers, [0], [len(nodes) - 1]


def test_what_one_speaker_said_becomes_likelier(capsys, monkeypatch):
    monkeypatch.setattr(adapt, "RATE", 5e-3)
    monkeypatch.setattr(adapt, "SPEEDS", (1, 1))
    monkeypatch.setattr(adapt, "LOUDER", 0)
    network = folded.fold(trained(21))
    first, second = (name for name in phones.PHONES[1:3])
    graphs = [graph(first, second), graph(second, first)]
    mels = [sound(22).astype(np.float32), sound(23).astype(np.float32)]
    chain = Chain.count(graphs, random.Random(1))
    after = adapt.tuned(network, mels, graphs, chain, random.Random(2))
    lines = capsys.readouterr().out.splitlines()
    objectives = [float(line.split()[-1]) for line in lines]
    assert len(objectives) == adapt.STEPS
    assert objectives[-1] > objectives[0]
    assert after.ranks() == network.ranks()
