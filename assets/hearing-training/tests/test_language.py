"""What holds in every language: its words, its grammar, its texts and its voices fit each other."""

import random

import numpy as np

from hearing import diphones, graph, phones, texts
from hearing.lexicon import Lexicon

LEXICON = Lexicon.read()
ANNOUNCEMENTS = texts.Announcements(LEXICON)


def test_every_command_phrase(accepts):
    for phrase in LEXICON.phrases:
        assert accepts(phrase) is not None, phrase


def test_moves_are_in_the_strict_grammar(accepts):
    rng = random.Random(1)
    for _ in range(150):
        words = ANNOUNCEMENTS.move(rng)
        promotes = any(word in LEXICON.pieces() for word in words[1:])
        if promotes and words[0] not in LEXICON.pawns():
            continue  # drawn for the sounds only
        assert accepts(" ".join(words)) is not None, words


def test_lexicon_uses_known_phones_and_no_pronunciation_twice():
    for word in LEXICON.words.values():
        forms = (*word.phones, *word.rare)
        assert len(set(forms)) == len(forms), word
        for form in forms:
            assert set(form) <= set(phones.PHONES), word


def test_prose_is_clean():
    rng = random.Random(3)
    if texts.os_has_dictionary():
        for _ in range(20):
            text = texts.talk(rng, ANNOUNCEMENTS)
            assert "_" not in text and "\ufffd" not in text


def test_diphone_voices_are_kept_apart():
    kinds = (diphones.TRAINING_VOICES, diphones.DEV_VOICES, diphones.TEST_VOICES)
    kinds = [set(kind) for kind in kinds]
    assert sum(map(len, kinds)) == len(set.union(*kinds)) == len(diphones.VOICES)


def test_sounds_have_every_word_at_a_sane_cost():
    even = np.full(phones.COUNT, 1 / phones.COUNT)
    made = graph.Sounds(LEXICON, (even, np.tile(even, (phones.COUNT, 1))))
    assert len(made.word_ids) == len(LEXICON.words) + 2
    assert all(-1e-9 <= cost < 50 for *_, cost in made.arcs)
