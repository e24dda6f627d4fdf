import random

from hearing import espeak, phones
from hearing.accents import Accent, relabelled
from hearing.language import sounds


def test_a_habit_is_kept_for_the_whole_utterance():
    for seed in range(50):
        text, _ = Accent(random.Random(seed)).say([["d", "r", "'aI"], ["d", "r", "'aI"]])
        first, second = text.strip("[]").split(" ")
        assert first == second


def test_labels_are_those_of_the_lexicon_whatever_is_said():
    said = set()
    for seed in range(200):
        text, labels = Accent(random.Random(seed)).say([["f", "'i:", "r"], ["t", "'UR", "m"]])
        said.add(text)
        assert [label for label in labels if label] == ["f", "i:", "3", "t", "U", "3", "m"]
    assert len(said) > 20


def test_what_espeak_says_otherwise_is_left_out():
    assert relabelled([(0.0, "d"), (0.1, "aI"), (0.2, "_:")], ["d", "r", "aI"]) is None


def test_espeak_says_what_it_is_handed():
    synthesiser = espeak.Espeak()
    used = 0
    for seed in range(40):
        words = synthesiser.phonemes("Springer Gustav drei nach Hektor vier")
        text, labels = Accent(random.Random(seed)).say(words)
        _, events, length = synthesiser.say(text)
        events = relabelled(events, labels)
        if events is None:
            continue
        used += 1
        spans = [phone for _, _, phone in phones.from_espeak(events, length)]
        spoken = [phone for phone in spans if phone != phones.SILENCE]
        assert spoken[:7] == ["S", "p", "r", "I", "N", "3", "g"]
        assert spoken[-3:] == ["f", "i:", "3"]
    assert used > 20


def test_every_exchanged_sound_is_one_of_espeaks():
    for sound in sounds.HABITS:
        assert sounds.SAME_AS.get(sound, sound) in phones.INDEX
