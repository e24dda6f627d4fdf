"""The vocal tract says what it is told, in the voice it is told."""

import random

import numpy as np
import pytest

from hearing import config, phones, tract

DREI = [(0.0, 0.06, "d"), (0.06, 0.12, "r"), (0.12, 0.36, "aI")]


def plan(**changes):
    made = tract.order(DREI, random.Random(3))
    for name, value in changes.items():
        setattr(made, name, value)
    return made


@pytest.fixture(scope="module")
def mouth():
    pytest.importorskip(tract.PACKAGE)
    return tract.Tract()


def test_every_phone_has_a_sound():
    assert set(tract.SOUNDS) == set(phones.PHONES) - {phones.SILENCE}


def test_the_sound_is_as_long_as_planned_whatever_the_size(mouth):
    for size in (tract.SMALLEST, 1.0, tract.LARGEST):
        one = plan(size=size)
        seconds = len(mouth.say(one)) / config.SAMPLE_RATE
        assert abs(seconds - sum(length for _, length in one.sounds)) < 0.03


def test_a_smaller_mouth_has_higher_formants(mouth):
    def brightness(size):
        power = np.abs(np.fft.rfft(mouth.say(plan(size=size, manner="modal")))) ** 2
        return (power * np.arange(len(power))).sum() / power.sum() / len(power)

    assert brightness(tract.LARGEST) > brightness(tract.SMALLEST)


def test_a_hard_r_has_no_voice_behind_a_stop_and_only_there():
    score = (
        '<gesture value="voiced-plosive" duration_s="0.2"/>\n'
        '<gesture value="modal" duration_s="0.003"/>\n'
        '<gesture value="voiced-fricative" duration_s="0.07"/>\n'
        '<gesture value="modal" duration_s="0.277"/>\n'
        '<gesture value="voiced-fricative" duration_s="0.07"/>\n'
    )
    hard = tract._with_hard_r(score)
    assert hard.count("voiceless-fricative") == 1
    assert hard.index("voiceless-fricative") < hard.index("voiced-fricative")


def test_too_long_is_refused(mouth):
    assert mouth.say(plan(sounds=[("a", 20.0)])) is None
