"""What is said is sayable, seeded, and knows no position."""

import random

from hearing import phones, texts
from hearing.grammar import Strict
from hearing.lexicon import Lexicon

LEXICON = Lexicon.read()
ANNOUNCEMENTS = texts.Announcements(LEXICON)


def test_moves_are_in_the_strict_grammar():
    graph = Strict(LEXICON).build()
    rng = random.Random(1)
    officers = [piece for piece in LEXICON.pieces() if piece != "bauer"]
    for _ in range(150):
        words = ANNOUNCEMENTS.move(rng)
        promotes = any(word in LEXICON.pieces() for word in words[1:])
        if promotes and (words[0] in officers or "rochade" in words):
            continue  # drawn for the sounds only
        assert graph.cost_of(words) is not None, words


def test_long_moves_use_every_square_alike():
    rng = random.Random(2)
    seen = {tuple(ANNOUNCEMENTS.square(rng)) for _ in range(3000)}
    plain = {(file, rank) for file, rank in seen if len(file) > 1 and rank != "zwo"}
    assert len(plain) == 64


def test_same_seed_same_words():
    one = [ANNOUNCEMENTS.draw(random.Random(7)) for _ in range(3)]
    assert one[0] == one[1] == one[2]


def test_spelling_keeps_unknown_words():
    assert texts.spell(["turm"], random.Random(1)) == "turm"
    assert texts.spell(["cesar"], random.Random(1)) in texts.SPELLINGS["cesar"]


def test_espeak_names_become_phones():
    events = [(0.0, "t"), (0.1, "U"), (0.2, "r"), (0.3, "m"), (0.4, "_:")]
    spans = phones.from_espeak(events, 0.6)
    assert [phone for _, _, phone in spans] == ["t", "U", "3", "m", phones.SILENCE]


def test_lexicon_uses_known_phones():
    for word in LEXICON.words.values():
        for form in word.phones:
            assert set(form) <= set(phones.PHONES), word


def test_variants():
    assert ("k", "Y:", "n", "I", "k") in phones.variants(["k", "Y:", "n", "I", "C"])
    assert ("z", "i:", "b", "m") in phones.variants(["z", "i:", "b", "@", "n"])
