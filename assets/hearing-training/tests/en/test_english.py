"""English: its phones, its words as espeak-ng says them, its strict grammar, and its texts."""

import random

import pytest

from hearing import align, diphones, flite, people, phones, rhvoice, texts
from hearing.grammar import UNKNOWN, Costs
from hearing.language import people as known
from hearing.language import sounds, voices
from hearing.lexicon import Lexicon

LEXICON = Lexicon.read()
ANNOUNCEMENTS = texts.Announcements(LEXICON)


@pytest.mark.parametrize(
    "text",
    [
        "knight gustav one to felix three",
        "knight gustav one felix three",
        "knight from gustav one to felix three",
        "queen on david one takes hector five check",
        "bishop captures hector seven check",
        "rook to anna eight checkmate",
        "pawn eva four",
        "felix three",
        "f three",
        "eva two eva four",
        "anna eight queen",
        "pawn anna seven anna eight queen check",
        "bella seven takes anna eight promotes knight mate",
        "castle kingside",
        "castles long",
        "queenside castling check",
        "castling",
        "i castle short",
        "i castle",
        "short",
        "my move is knight gustav one to felix three",
        "please i play the rook anna one anna eight check",
        "knight gustav no rook gustav one felix one",
        "pawn eva two eva four correction pawn eva two eva three",
        "correction knight gustav one felix three",
        "rook anna one anna eight sorry rook david one david eight",
        "rook anna one no sorry rook david one david eight",
        "rook on anna one to david one",
        "on anna one takes david one",
        "anna seven anna eight equals queen",
        "bella seven takes anna eight promotes to knight",
        "er i'll play knight gustav one felix three",
        "please repeat",
        "pardon",
        "continue",
        "correction",
        "whose move",
        "i offer a draw",
        "queen",
        "promotes queen",
        "gustav",
        "seven",
        "check",
        "yes",
        "",
        UNKNOWN,
        f"i want to {UNKNOWN}",
        "quiet please",
        "board eva four",
        "board eva",
        "board knight",
        "board diagonal eva four",
        "score from ten",
    ],
)
def test_accepts(accepts, text):
    assert accepts(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        f"knight {UNKNOWN}",
        "rook felix three three",
        "knight knight felix three",
        "castling short short",
        "i play",
        "i play felix three",
        "to felix three",
        "er felix three",
        "promotes to check",
        "rook on anna one david one",
        "knight gustav",
        "rook anna eight queen",
        "queen check queen",
        "board",
        "yes no",
        "fifty",
    ],
)
def test_refuses(accepts, text):
    assert accepts(text) is None


def test_long_moves_cost_the_same_with_every_link(accepts):
    links = ("", "to ", "takes ", "captures ")
    costs = {round(accepts(f"knight gustav one {link}felix three"), 6) for link in links}
    assert len(costs) == 1


def test_a_pawn_that_is_little_more_than_on_stays_a_pawn(accepts):
    on = accepts("on anna one takes hector two") - accepts("pawn anna one takes hector two")
    assert on > 4


def test_a_capture_by_a_file_alone_is_no_square_that_resembles_it(accepts):
    assert accepts("eva takes david five") is not None
    assert accepts("eva takes david five") < 10
    assert accepts("knight eva takes david five") is None


def test_letters_cost_more(accepts):
    letter = accepts("rook a two") - accepts("rook anna two")
    assert letter == pytest.approx(Costs().letter)


def test_espeak_says_the_chess_words_as_the_lexicon_has_them(synthesiser):
    words = [*LEXICON.file_names(), *LEXICON.ranks(), *LEXICON.pieces()]
    for word in words:
        known = {*LEXICON.words[word].phones, *LEXICON.words[word].rare}
        for voice in ("en-gb-x-rp", "en-us"):
            _, events, length = synthesiser.say(texts.SPELLINGS.get(word, [word])[0], voice=voice)
            spans = phones.from_espeak(events, length, voice)
            assert tuple(name for *_, name in spans if name != phones.SILENCE) in known, word


def test_every_voice_says_only_known_sounds(synthesiser):
    rng = random.Random(3)
    for voice in dict.fromkeys(voices.ESPEAK):
        for _ in range(25):
            text = texts.spell(ANNOUNCEMENTS.draw(rng), rng)
            _, events, length = synthesiser.say(text, voice=voice)
            assert phones.from_espeak(events, length, voice)


def test_an_american_says_the_r_that_a_briton_leaves_out():
    events = [(0.0, "s"), (0.1, "k"), (0.2, "o@")]
    names = {
        voice: [name for *_, name in phones.from_espeak(events, 0.4, voice)]
        for voice in ("en-gb-x-rp", "en-us")
    }
    assert names == {"en-gb-x-rp": ["s", "k", "O:"], "en-us": ["s", "k", "O:", "r"]}


def test_a_swallowed_l_gets_time_and_a_glide_goes_on():
    events = [(0.0, "w"), (0.1, "E"), (0.3, "l"), (0.3, "_:")]
    spans = phones.from_espeak(events, 0.4, "en")
    assert [name for *_, name in spans] == ["w", "E", "l", phones.SILENCE]
    assert spans[2][1] - spans[2][0] > 0.05
    events = [(0.0, "i:"), (0.1, ";"), (0.15, "@")]
    assert [name for *_, name in phones.from_espeak(events, 0.3, "en")] == ["i:", "@"]


def test_variants():
    assert ("T", "3", "d", "i:") in phones.variants(["T", "3", "t", "i:"])
    assert ("s", "E", "v", "n") in phones.variants(["s", "E", "v", "@", "n"])


def test_flite_tells_its_phones():
    spans = flite.spans_of("pau:0.2 n:0.3 ay:0.5 t:0.6 pau:0.8")
    assert [name for *_, name in spans] == [phones.SILENCE, "n", "aI", "t", phones.SILENCE]
    assert flite.spans_of("pau:0.2 qq:0.3") is None


def test_tables_use_known_phones():
    for voice in diphones.VOICES.values():
        assert set(voice.table) <= set(phones.PHONES)
    assert set(voices.FLITE.values()) <= set(phones.PHONES)
    for table in (sounds.SAME_AS, *sounds.OF_VOICE.values()):
        for ours in table.values():
            assert {ours} <= set(phones.PHONES) if isinstance(ours, str) else set(ours) <= set(
                phones.PHONES
            )
    assert set(sounds.POCKETSPHINX) == set(phones.PHONES) - {phones.SILENCE}


def test_flite_voices_are_kept_apart():
    assert not set(flite.TRAINING_VOICES) & {*flite.DEV_VOICES, *flite.TEST_VOICES}


def test_rhvoice_voices_are_kept_apart():
    assert not set(rhvoice.TRAINING_VOICES) & set(voices.RHVOICE_TEST)


def test_british_voices_say_every_chess_word(synthesiser):
    for name in ("rab", "don"):
        voice = diphones.VOICES[name]
        for word in ANNOUNCEMENTS.words:
            spelt = texts.SPELLINGS.get(word, [word])[0]
            _, events, length = synthesiser.say(spelt, voice=voice.pronounced_by)
            spans = phones.from_espeak(events, length, voice.pronounced_by)
            assert diphones.can_say(voice, spans), word


def test_a_german_and_a_tenth_of_two_peoples_words_are_held_out():
    row = {"speaker": "Art4Apps", "source": "art4apps"}
    words = ("knight", "bishop", "queen", "castle", "draw", "clock", "time", "short", "stop")
    assert [word for word in words if people.is_test({**row, "text": word})] == ["draw"]
    assert people.is_test({"speaker": "FSDD yweweler", "source": "FSDD", "text": "six"})


def test_words_and_letters_said_alone_use_known_phones():
    for forms in known.SAID_ALONE.values():
        for form in forms:
            assert set(form) <= set(phones.PHONES)
    assert sorted(known.LETTER_NAMES) == list("abcdefghijklmnopqrstuvwxy")


def test_peoples_sounds_are_found_in_their_recordings():
    found = align.read()
    assert {"asterisk", "art4apps", "fsdd", "gcompris", "klettres"} == {
        name.partition("/")[0] for name in found
    }
    assert all({phone for *_, phone in spans} <= set(phones.PHONES) for spans in found.values())
    assert not any("yweweler" in name or "theo" in name for name in found)
