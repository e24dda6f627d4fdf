"""The two sides of MMI on cases that can be counted by hand. Needs torch; takes a moment."""

import random

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from hearing import phones  # noqa: E402
from hearing.data import Graph  # noqa: E402
from hearing.mmi import Chain  # noqa: E402


def chain():
    graph = Graph.of_words([[["a", "n", "a"]]])
    parts = (graph.nodes, graph.followers, graph.starts, graph.ends)
    return Chain.count([parts] * 5, random.Random(1)), parts


def test_occupations_sum_to_one():
    model, graph = chain()
    scores = torch.randn(2, 12, 2 * phones.COUNT)
    lengths = torch.tensor([12, 9])
    everything, _ = model.denominator(scores, lengths)
    said, _, good = model.numerator(scores, lengths, model.said([graph, graph]))
    for occupied in (everything, said):
        assert torch.allclose(occupied[0].sum(1), torch.ones(12), atol=1e-4)
        assert torch.allclose(occupied[1, :9].sum(1), torch.ones(9), atol=1e-4)
        assert occupied[1, 9:].abs().sum() == 0
    assert good.tolist() == [1, 1]


def test_what_was_said_is_no_likelier_than_everything():
    model, graph = chain()
    scores = torch.randn(1, 15, 2 * phones.COUNT)
    lengths = torch.tensor([15])
    _, everything = model.denominator(scores, lengths)
    _, said, _ = model.numerator(scores, lengths, model.said([graph]))
    assert said.item() < everything.item()


def test_too_short_an_utterance_is_left_out():
    model, graph = chain()
    scores = torch.randn(1, 2, 2 * phones.COUNT)
    _, _, good = model.numerator(scores, torch.tensor([2]), model.said([graph]))
    assert good.tolist() == [0]


def test_graph_of_words_has_optional_silence():
    graph = Graph.of_words([[["a"]], [["n"], ["m"]]])
    silence = phones.INDEX[phones.SILENCE]
    assert [node == silence for node in graph.nodes] == [True, False, True, False, False, True]
    assert graph.starts == [0, 1]
    assert set(graph.followers[1]) == {2, 3, 4}
    assert set(graph.ends) == {3, 4, 5}
    assert np.all([follower > node for node, f in enumerate(graph.followers) for follower in f])
