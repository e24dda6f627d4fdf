"""Features, augmentation and diphone plans: shapes, times, and what must not change."""

import random

import numpy as np

from hearing import augment, diphones, features, phones


def test_a_tone_lights_its_bin():
    time = np.arange(16000) / 16000
    frames = features.log_mel(1000 * np.sin(2 * np.pi * 1000 * time))
    assert frames.shape == (98, features.BINS)
    centres = np.linspace(*(1127 * np.log(1 + np.array([60, 7600]) / 700)), features.BINS + 2)[1:-1]
    expected = np.abs(centres - 1127 * np.log(1 + 1000 / 700)).argmin()
    assert abs(int(frames.mean(axis=0).argmax()) - expected) <= 1


def test_too_short_a_sound_has_no_frames():
    assert features.log_mel(np.zeros(100)).shape == (0, features.BINS)


def test_floor_is_one_bit_of_noise():
    noise = np.random.default_rng(1).standard_normal(32000)
    assert abs(features.log_mel(noise).mean() - features.FLOOR) < 1.5


def test_uneven_time_goes_forward():
    for seed in range(20):
        places = augment.uneven_time(200, np.random.default_rng(seed))
        assert (np.diff(places) > 0).all()
        assert places[0] == 0 and places[-1] <= 199
        frames = augment.at_places(np.arange(200.0)[:, None].repeat(3, axis=1), places)
        assert np.allclose(frames[:, 0], places, atol=1e-3)


def test_spectral_keeps_the_length():
    rng = np.random.default_rng(3)
    frames = rng.normal(10, 2, (120, features.BINS)).astype(np.float32)
    for _ in range(30):
        changed = augment.spectral(frames, rng, lambda: frames[:50])
        assert changed.shape == frames.shape and np.isfinite(changed).all()


def test_sound_tells_where_speech_went():
    sound = augment.Sound(np.random.default_rng(5))
    wave = np.zeros(8000)
    wave[4000] = 10000
    _, factor, before = sound.apply(wave)
    assert 0.8 < factor < 1.3 and before >= 0


def test_diphone_plan_keeps_our_phones():
    spans = [(0.0, 0.1, "d"), (0.1, 0.2, "r"), (0.2, 0.4, "aI"), (0.4, 0.5, phones.SILENCE)]
    plan = diphones.order(diphones.VOICES["dita"], spans, random.Random(1))
    assert [phone for _, _, phone in plan.spans] == ["d", "r", "aI", phones.SILENCE]
    names = [name for name, _, _ in plan.segments]
    assert names == ["#", "d", "r", "a", "j", "#", "#"]
    total = sum(length for _, length, _ in plan.segments)
    assert abs(total - diphones.EDGE_S - plan.spans[-1][1]) < 1e-6


def test_voices_know_their_limits():
    spans = [(0.0, 0.1, "y")]
    assert not diphones.can_say(diphones.VOICES["dita"], spans)
    assert diphones.can_say(diphones.VOICES["lj"], spans)


def test_tables_use_known_phones():
    for voice in diphones.VOICES.values():
        assert set(voice.table) <= set(phones.PHONES)


def test_voices_are_kept_apart():
    kinds = (diphones.TRAINING_VOICES, diphones.DEV_VOICES, diphones.TEST_VOICES)
    names = [name for kind in kinds for name in kind]
    assert sorted(names) == sorted(diphones.VOICES)
