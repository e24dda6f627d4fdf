"""Danish: its phones, its words as espeak-ng says them, its strict grammar, and its texts."""

import random

import pytest

from hearing import accents, diphones, people, phones, texts
from hearing.grammar import UNKNOWN, Costs
from hearing.language import people as known
from hearing.language import sounds
from hearing.lexicon import Lexicon

LEXICON = Lexicon.read()
ANNOUNCEMENTS = texts.Announcements(LEXICON)


def said(synthesiser, text):
    _, events, length = synthesiser.say(text)
    spans = phones.from_espeak(events, length)
    return tuple(name for *_, name in spans if name != phones.SILENCE)


@pytest.mark.parametrize(
    "text",
    [
        "springer gustav et til felix tre",
        "springer gustav et felix tre",
        "springer fra gustav et til felix tre",
        "dronning på david et slår hector fem skak",
        "dame david et hector fem",
        "løber slår hector syv skak",
        "tårn til anna otte skakmat",
        "bonde eva fire",
        "bonde erik fire",
        "felix tre",
        "f tre",
        "eva to eva fire",
        "anna otte dronning",
        "bonde anna syv anna otte dame skak",
        "bodil syv slår anna otte forvandling springer mat",
        "springer gustav eins felix drei",
        "läufer cesar eins hector sechs",
        "bauer anna sieben anna acht dame",
        "turm anna eins schlägt anna acht",
        "könig eva eins eva zwei",
        "kort rokade",
        "lille rokade",
        "rokade lang",
        "jeg rokerer kort",
        "jeg rokerer",
        "kort",
        "kurze rochade",
        "rokade",
        "mit træk er springer gustav et til felix tre",
        "jeg spiller tårn anna et anna otte skak",
        "springer gustav nej tårn gustav et felix et",
        "bonde eva to eva fire rettelse bonde eva to eva tre",
        "rettelse springer gustav et felix tre",
        "rettelse",
        "hvem er i trækket",
        "jeg tilbyder remis",
        "dronning",
        "forvandling dronning",
        "gustav",
        "syv",
        "skak",
        "ja",
        "",
        UNKNOWN,
        f"jeg vil {UNKNOWN}",
        "ro tak",
        "stilling eva fire",
        "stilling eva",
        "stilling springer",
        "stilling diagonalen eva fire",
        "partiet fra ti",
    ],
)
def test_accepts(accepts, text):
    assert accepts(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        f"springer {UNKNOWN}",
        "tårn felix tre tre",
        "springer springer felix tre",
        "kort rokerer",
        "rokade lille",
        "rokerer",
        "jeg spiller",
        "jeg spiller felix tre",
        "til felix tre",
        "springer gustav",
        "tårn anna otte dronning",
        "dronning skak dronning",
        "stilling",
        "ja nej",
        "halvtreds",
    ],
)
def test_refuses(accepts, text):
    assert accepts(text) is None


def test_long_moves_cost_the_same_with_every_link(accepts):
    links = ("", "til ", "slår ", "schlägt ")
    costs = {round(accepts(f"springer gustav et {link}felix tre"), 6) for link in links}
    assert len(costs) == 1


def test_both_words_for_the_pawn_may_be_promoted(accepts):
    costs = {round(accepts(f"{pawn} eva syv eva otte dame"), 6) for pawn in LEXICON.pawns()}
    assert LEXICON.pawns() == ["bonde", "bauer"] and len(costs) == 1


def test_letters_cost_more(accepts):
    letter = accepts("tårn a to") - accepts("tårn anna to")
    assert letter == pytest.approx(Costs().letter)


def test_no_two_meanings_sound_alike():
    files, ranks = LEXICON.with_value("file"), LEXICON.with_value("rank")
    seen = {}
    for name in [*files, *ranks, *LEXICON.pieces()]:
        word = LEXICON.words[name]
        for form in word.phones:
            assert seen.setdefault(form, word.value) == word.value, (name, form)


def test_espeak_says_every_word_as_the_lexicon_has_it(synthesiser):
    for word in LEXICON.words.values():
        for text in texts.SPELLINGS.get(word.word, [word.word]):
            assert said(synthesiser, text) in {*word.phones, *word.rare}, (word.word, text)


def test_a_spelling_of_the_sets_is_no_rare_one(synthesiser):
    for name in [*LEXICON.file_names(), *LEXICON.with_value("rank"), *LEXICON.pieces()]:
        word = LEXICON.words[name]
        assert said(synthesiser, texts.SPELLINGS.get(name, [name])[0]) in word.phones, name


def test_habits_say_only_known_sounds(synthesiser):
    rng = random.Random(3)
    for _ in range(60):
        text = texts.spell(ANNOUNCEMENTS.draw(rng), rng)
        text, labels = accents.Accent(rng).say(synthesiser.phonemes(text))
        _, events, length = synthesiser.say(text)
        events = accents.relabelled(events, labels)
        assert events is not None, text
        assert phones.from_espeak(events, length)


class Speaker:
    """Has every habit, and always the first choice."""

    def __init__(self, before, after):
        self.neighbours = (before, after)

    def habit(self, sound, choices, share, usual=None):
        return choices[0]


@pytest.mark.parametrize(
    ("name", "before", "after", "own"),
    [
        ("t", None, "'o", "t s"),
        ("d", None, "'&", "t"),
        ("t", "s", "'o", "t"),
        ("t", "'O", "@", "t"),
        ("d", "'0", "@", "d"),
    ],
)
def test_breath_is_heard_where_a_strong_syllable_begins(name, before, after, own):
    assert sounds.said_for(Speaker(before, after), name, True, False) == [(own, name)]


def test_the_catch_in_the_throat_is_a_part_of_its_sound(synthesiser):
    assert said(synthesiser, "[[s'yw?]]") == ("s", "y", "w")
    assert said(synthesiser, "[[t'O:?n]]") == ("t", "O", "n")


def test_a_stop_beside_an_s_is_neither_hard_nor_soft():
    events = [(0.0, "s"), (0.1, "b"), (0.2, "?i"), (0.3, "g"), (0.4, "s")]
    names = [name for *_, name in phones.from_espeak(events, 0.5)]
    assert names == ["s", "p", "i", "k", "s"]


def test_an_r_behind_an_ending_is_that_ending():
    events = [(0.0, "s"), (0.1, "t"), (0.2, "o"), (0.3, "3-"), (0.35, "?V")]
    names = [name for *_, name in phones.from_espeak(events, 0.5)]
    assert names == ["s", "t", "o", "V"]


def test_variants():
    assert ("b", "O", "n") in phones.variants(["b", "O", "n", "@"])
    assert ("u", "V", "D") in phones.variants(["u", "V", "@", "D"])


def test_numbers_are_pronounced_as_people_say_them():
    for word, forms in known.SAID_ALONE.items():
        assert forms and all(set(form) <= set(phones.PHONES) for form in forms), word
    assert people.pronounce("seksten", LEXICON, None)[0][0] == "s A j s t n".split()


def test_tables_use_known_phones():
    for voice in diphones.VOICES.values():
        assert set(voice.table) <= set(phones.PHONES)
    assert {*sounds.SAME_AS.values()} <= set(phones.PHONES)
    assert {one for two in sounds.TWO_PHONES.values() for one in two} <= set(phones.PHONES)
    assert set(sounds.POCKETSPHINX) == set(phones.PHONES) - {phones.SILENCE}
