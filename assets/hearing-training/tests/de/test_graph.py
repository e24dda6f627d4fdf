"""The sound side: identifiers, positions, and what its words sound like."""

import numpy as np
import pytest

from hearing import graph, phones
from hearing.grammar import UNKNOWN
from hearing.lexicon import Lexicon


@pytest.fixture(scope="module")
def sounds():
    even = np.full(phones.COUNT, 1 / phones.COUNT)
    return graph.Sounds(Lexicon.read(), (even, np.tile(even, (phones.COUNT, 1))))


def spoken(sounds, word):
    """All phone sequences of a word's paths, by following its arcs to the end of the word."""
    found, todo = set(), []
    by_start = {}
    for start, end, taken, given, _ in sounds.arcs:
        if start != end:
            by_start.setdefault(start, []).append((end, taken, given))
    for end, taken, given in by_start[sounds.loop]:
        if given == sounds.word_ids[word]:
            todo.append((end, (taken,)))
    names = graph.phone_names()
    while todo:
        state, path = todo.pop()
        if state == sounds.word_end:
            found.add(tuple(names[tid // 2].rsplit("_", 1)[0] for tid in path if tid))
            continue
        todo += [(end, (*path, taken)) for end, taken, _ in by_start[state]]
    return found


@pytest.mark.parametrize("word", ["anna", "hector", "a", "drei", "sieben", "schiedsrichter"])
def test_words_sound_as_in_the_lexicon(sounds, word):
    known = Lexicon.read().words[word]
    assert spoken(sounds, word) == {*known.phones, *known.rare}


def test_positions():
    assert graph.placed(["A:"]) == ["A:_S"]
    assert graph.placed(["aI", "n", "s"]) == ["aI_B", "n_I", "s_E"]


def test_identifiers():
    names = graph.phone_names()
    assert names[graph.SILENCE_ID] == phones.SILENCE
    assert len(names) == 2 + 4 * (phones.COUNT - 1)
    assert len(graph.phone_outputs()) == len(names) - 1
    assert max(second for _, second in graph.phone_outputs()) == 2 * phones.COUNT - 1
    assert graph.DISAMBIGUATION == graph.begins(len(names) - 1) + 1


def test_garbage_is_entered_once_by_the_disambiguation_id(sounds):
    entering = [arc for arc in sounds.arcs if arc[2] == graph.DISAMBIGUATION]
    assert len(entering) == 1
    assert entering[0][3] == sounds.word_ids[UNKNOWN]


def test_every_arc_costs_something_sensible(sounds):
    assert all(-1e-9 <= cost < 50 for *_, cost in sounds.arcs)
