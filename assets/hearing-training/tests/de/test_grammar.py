"""The strict grammar accepts every announcement at a fair cost, and nothing else."""

import itertools

import pytest

from hearing.grammar import UNKNOWN, Costs
from hearing.lexicon import Lexicon


@pytest.fixture(scope="module")
def lexicon():
    return Lexicon.read()


ANNOUNCEMENTS = [
    "springer gustav eins nach felix drei",
    "springer gustav eins felix drei",
    "springer von gustav eins nach felix drei",
    "springer von gustav eins schlägt felix drei",
    "von eva zwei nach eva vier",
    "dame auf david eins schlägt hector fünf schach",
    "läufer schlägt hector sieben schach",
    "turm nach anna acht schachmatt",
    "bauer eva vier",
    "felix drei",
    "f drei",
    "eva zwo eva vier",
    "eva vier schlägt david fünf",
    "anna acht dame",
    "bauer anna sieben anna acht dame schach",
    "bella sieben schlägt anna acht umwandlung springer matt",
    "kurze rochade",
    "lange rochade schach",
    "große rochade",
    "rochade kurz",
    "rochade",
    "ich rochiere lang",
    "ich rochiere",
    "kurze",
    "ich mache die kleine rochade",
    "also ich ziehe den springer von gustav eins nach felix drei",
    "ich spiele turm anna eins anna acht schach",
    "springer gustav nein turm gustav eins felix eins",
    "bauer eva zwei eva vier korrektur bauer eva zwei eva drei",
    "springer gustav turm gustav eins felix eins",
    "korrektur springer gustav eins felix drei",
    "korrektur",
    "wer ist am zug",
    "reklamation fünfzig züge",
    "dame",
    "umwandlung dame",
    "gustav",
    "sieben",
    "schach",
    "ja",
    "",
    UNKNOWN,
    f"{UNKNOWN} {UNKNOWN}",
    f"ich möchte {UNKNOWN}",
    f"partie {UNKNOWN} zehn",
    "ich biete remis",
    "ruhe bitte",
    "stellung eva vier",
    "stellung eva",
    "stellung vier",
    "stellung springer",
    "stellung vorlesen",
    "stellung diagonale eva vier",
    "stellung figuren weiß",
    "partie ab zehn",
]
NO_ANNOUNCEMENTS = [
    f"springer {UNKNOWN}",
    f"ich biete remis {UNKNOWN}",
    "turm felix drei drei",
    "springer springer felix drei",
    "kurz rochiere",
    "rochade kleine",
    "rochiere",
    "ich spiele",
    "springer gustav nein",
    "springer gustav nein turm felix eins",
    "ich spiele felix drei",
    "ich spiele remis",
    "nach felix drei",
    "springer gustav",
    "turm anna acht dame",
    "dame schach dame",
    "felix drei felix drei felix drei",
    f"springer {UNKNOWN}",
    f"{UNKNOWN} felix drei",
    "stellung",
    "stellung turm eva",
    "stellung diagonale eva",
    "diagonale eva vier",
    "korrektur stellung eva",
    "ja nein",
    "korrektur ja",
    "fünfzig",
]


@pytest.mark.parametrize("text", ANNOUNCEMENTS)
def test_accepts(accepts, text):
    assert accepts(text) is not None


@pytest.mark.parametrize("text", NO_ANNOUNCEMENTS)
def test_refuses(accepts, text):
    assert accepts(text) is None


def test_every_command_phrase(lexicon, accepts):
    for phrase in lexicon.phrases:
        assert accepts(phrase) is not None, phrase


def test_all_long_moves_cost_the_same(lexicon, accepts):
    """A sample of 6 * 64 * 64: every piece, and every file and rank in both places."""
    squares = [f"{file} {rank}" for file, rank in zip(lexicon.file_names(), lexicon.ranks())]
    squares += [f"{file} {rank}" for file, rank in zip(lexicon.file_names(), lexicon.ranks()[::-1])]
    costs = set()
    pairs = list(itertools.product(squares[:5], squares[8:12])) + list(zip(squares, squares[::-1]))
    for number, (first, second) in enumerate(pairs):
        piece = lexicon.pieces()[number % 6]
        costs |= {
            round(accepts(f"{piece} {first} {link}{second}"), 6)
            for link in ("", "nach ", "schlägt ")
        }
    assert len(costs) == 1


def test_rare_words_cost_more(accepts):
    costs = Costs()
    assert accepts("a zwei") == pytest.approx(accepts("anna zwei") + costs.letter)
    assert accepts("anna zwo") == pytest.approx(accepts("anna zwei") + costs.second_rank)
