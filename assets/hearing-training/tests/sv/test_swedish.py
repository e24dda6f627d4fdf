"""Swedish: its phones, its words as espeak-ng says them, its strict grammar, and its texts."""

import random

import pytest

from hearing import accents, diphones, people, phones, texts
from hearing.grammar import UNKNOWN, Costs
from hearing.language import people as known
from hearing.language import sounds, voices
from hearing.lexicon import Lexicon

LEXICON = Lexicon.read()
ANNOUNCEMENTS = texts.Announcements(LEXICON)


@pytest.mark.parametrize(
    "text",
    [
        "springare gustav ett till felix tre",
        "springare gustav ett felix tre",
        "springare från gustav ett till felix tre",
        "dam på david ett slår hector fem schack",
        "löpare slår hector sju schack",
        "torn till anna åtta schackmatt",
        "bonde eva fyra",
        "felix tre",
        "f tre",
        "eva två eva fyra",
        "anna åtta dam",
        "bonde anna sju anna åtta dam schack",
        "bella sju slår anna åtta förvandling springare matt",
        "kort rockad",
        "stor rockad schack",
        "rockad lång",
        "rockerar långt",
        "rockad",
        "jag rockerar",
        "jag rockerar kort",
        "alltså jag rockerar långt schack",
        "jag gör liten rockad",
        "kort",
        "långt",
        "jag accepterar",
        "jag accepterar inte",
        "jag tackar nej",
        "mitt drag är springare gustav ett till felix tre",
        "alltså jag spelar torn anna ett anna åtta schack",
        "springare gustav nej torn gustav ett felix ett",
        "bonde eva två eva fyra rättelse bonde eva två eva tre",
        "rättelse springare gustav ett felix tre",
        "rättelse",
        "vem är vid draget",
        "jag erbjuder remi",
        "dam",
        "förvandling dam",
        "gustav",
        "sju",
        "schack",
        "ja",
        "",
        UNKNOWN,
        f"jag vill {UNKNOWN}",
        "vänta lite",
        "ställning eva fyra",
        "ställning eva",
        "ställning springare",
        "ställning diagonalen eva fyra",
        "partiet från tio",
    ],
)
def test_accepts(accepts, text):
    assert accepts(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        f"springare {UNKNOWN}",
        "torn felix tre tre",
        "springare springare felix tre",
        "jag kort rockerar",
        "rockad liten",
        "rockerar liten",
        "rockerar",
        "alltså rockerar",
        "jag spelar",
        "jag spelar felix tre",
        "till felix tre",
        "springare gustav",
        "torn anna åtta dam",
        "dam schack dam",
        "ställning",
        "ja nej",
        "femtio",
    ],
)
def test_refuses(accepts, text):
    assert accepts(text) is None


def test_long_moves_cost_the_same_with_every_link(accepts):
    links = ("", "till ", "slår ")
    costs = {round(accepts(f"springare gustav ett {link}felix tre"), 6) for link in links}
    assert len(costs) == 1


def test_letters_cost_more(accepts):
    letter = accepts("torn a två") - accepts("torn anna två")
    assert letter == pytest.approx(Costs().letter)


def test_few_words_sound_alike():
    words = {}
    for word in LEXICON.words.values():
        for form in word.phones:
            words.setdefault(form, set()).add(word.word)
    alike = {frozenset(names) for names in words.values() if len(names) > 1}
    pairs = ("ja jag", "ha har", "vad var", "d det", "e är")
    assert alike == {frozenset(pair.split()) for pair in pairs}


def test_espeak_says_every_word_as_the_lexicon_has_it(synthesiser):
    for word, entry in LEXICON.words.items():
        for spelling in texts.SPELLINGS.get(word, [word]):
            _, events, length = synthesiser.say(spelling)
            spans = phones.from_espeak(events, length, "sv")
            said = tuple(name for *_, name in spans if name != phones.SILENCE)
            assert said in {*entry.phones, *entry.rare}, (word, spelling)


def test_the_first_spelling_is_no_rare_pronunciation(synthesiser):
    words = [*LEXICON.file_names(), *LEXICON.ranks(), *LEXICON.pieces(), "rockad", "slår", "till"]
    for word in words:
        _, events, length = synthesiser.say(texts.SPELLINGS.get(word, [word])[0])
        spans = phones.from_espeak(events, length, "sv")
        said = tuple(name for *_, name in spans if name != phones.SILENCE)
        assert said in LEXICON.words[word].phones, word


def test_every_voice_says_only_known_sounds(synthesiser):
    rng = random.Random(3)
    for voice in dict.fromkeys((*voices.ESPEAK, *voices.NEIGHBOURS)):
        for _ in range(40):
            words = ANNOUNCEMENTS.draw(rng)
            foreign = voice in voices.NEIGHBOURS
            text = " ".join(words) if foreign else texts.spell(words, rng)
            _, events, length = synthesiser.say(text, voice=voice)
            assert phones.from_espeak(events, length, voice)


def test_sounds_that_espeak_names_by_other_names():
    events = [(0.0, "sx"), (0.1, "u-"), (0.3, "s."), (0.4, "n."), (0.5, "_:")]
    names = [name for *_, name in phones.from_espeak(events, 0.6, "sv")]
    assert names == ["x", "u-:", "S", "n", phones.SILENCE]
    assert [name for *_, name in phones.from_espeak([(0.0, "u-")], 0.2, "nb")] == ["8"]


def test_the_glide_behind_i_goes_on():
    events = [(0.0, "t"), (0.1, "i:"), (0.2, ";"), (0.25, "u:")]
    assert [name for *_, name in phones.from_espeak(events, 0.4, "sv")] == ["t", "i:", "u:"]


def test_variants():
    assert ("t", "u:", "n") in phones.variants(["t", "u:", "r", "n"])
    assert ("S", "u-:") in phones.variants(["x", "u-:"])
    assert ("d", "r", "A:", "g", "@") in phones.variants(["d", "r", "A:", "g", "@", "t"])


def test_accents_keep_the_labels(synthesiser):
    rng = random.Random(5)
    synthesiser.say("ja")
    kept = 0
    for _ in range(60):
        text = texts.spell(ANNOUNCEMENTS.draw(rng), rng)
        text, labels = accents.Accent(rng).say(synthesiser.phonemes(text))
        _, events, _ = synthesiser.say(text)
        kept += accents.relabelled(events, labels) is not None
    assert kept >= 55


def test_tables_use_known_phones():
    for voice in diphones.VOICES.values():
        assert set(voice.table) <= set(phones.PHONES)
    assert set(sounds.SAME_AS.values()) <= set(phones.PHONES)
    for table in (sounds.TWO_PHONES, *sounds.OF_VOICE.values()):
        for ours in table.values():
            assert set(ours) <= set(phones.PHONES)
    assert set(sounds.POCKETSPHINX) == set(phones.PHONES) - {phones.SILENCE}


def test_a_tenth_of_the_swedes_words_and_a_norwegian_are_held_out():
    row = {"speaker": "Ulrika Uddeborg", "source": "GCompris sv"}
    held_out = [word for word in LEXICON.ranks() if people.is_test({**row, "text": word})]
    assert held_out == ["ett", "åtta"]
    assert people.is_test({"speaker": "Johnstad/Gabor", "source": "GCompris nb", "text": "tre"})


def test_words_said_alone_use_known_phones():
    for forms in known.SAID_ALONE.values():
        for form in forms:
            assert set(form) <= set(phones.PHONES)
