"""What rooms, microphones and other people do to a voice.

`Sound` works on samples before the features are taken, `spectral` on the features of every batch
anew. Numbers are wide on purpose: the players' rooms are not known.
"""

import numpy as np
from scipy.signal import fftconvolve, lfilter, resample_poly

from . import config
from .features import BINS

FULL_SCALE = 32767.0
MU = 255.0
SPEED_STEPS = 100
NATS_OF_DB = np.log(10) / 10
FRAMES_TO_60_DB = 60 * NATS_OF_DB * config.FRAME_SHIFT_S
"""Divided by a hall's decay to -60 dB in seconds: how many nats a frame loses."""


def speed(wave, factor):
    """Play faster or slower; pitch and formants move along."""
    steps = int(round(factor * SPEED_STEPS))
    if steps == SPEED_STEPS:
        return wave
    return resample_poly(wave, SPEED_STEPS, steps).astype(np.float32)


def room(rng):
    """An artificial impulse response: direct sound, a gap, decaying noise.

    Two in five are halls, whose depths ring longer than their heights.
    """
    is_hall = rng.random() < 0.4
    decay_s = rng.uniform(0.5, 1.8) if is_hall else rng.uniform(0.08, 0.7)
    length = int(config.SAMPLE_RATE * min(decay_s, 1.2 if is_hall else 0.45))
    time = np.arange(length) / config.SAMPLE_RATE
    response = rng.standard_normal(length) * np.exp(-6.9 * time / decay_s)
    if is_hall:
        dark = lfilter([0.3], [1, -0.7], rng.standard_normal(length))
        response *= np.exp(-6.9 * time / decay_s * rng.uniform(0, 1.5))
        response += dark * np.exp(-6.9 * time / decay_s)
    response[: int(rng.uniform(16, 100))] = 0
    wet = 10 ** ((rng.uniform(-10, 2) if is_hall else rng.uniform(-16, 1)) / 20)
    response *= wet / np.sqrt((response**2).sum() + 1e-9)
    response[0] = 1
    return response


def telephone(wave):
    """8 kHz and 8-bit companding, as on the phone."""
    narrow = np.clip(resample_poly(wave, 1, 2) / FULL_SCALE, -1, 1)
    pressed = np.sign(narrow) * np.log1p(MU * np.abs(narrow)) / np.log1p(MU)
    pressed = np.round(pressed * 127) / 127
    narrow = np.sign(pressed) * (np.expm1(np.abs(pressed) * np.log1p(MU))) / MU
    return (resample_poly(narrow, 2, 1) * FULL_SCALE).astype(np.float32)


def event(rng, length):
    """A sound that is no speech: clicks, breath, hum, hiss or a thump."""
    wave = np.zeros(length, np.float32)
    if length < 800:
        return wave
    kind = rng.integers(5)
    time = np.arange(length) / config.SAMPLE_RATE
    if kind == 0:
        for _ in range(rng.integers(1, 2 + length // 4000)):
            start, span = rng.integers(length - 50), rng.integers(40, 1200)
            span = min(span, length - start)
            click = rng.standard_normal(span) * np.exp(-np.arange(span) / rng.uniform(8, 250))
            wave[start : start + span] += click * rng.uniform(300, 12000)
    elif kind == 1:
        span = min(length, int(rng.integers(1600, 20000)))
        start = rng.integers(length - span + 1)
        smooth = rng.integers(1, 8)
        breath = np.convolve(rng.standard_normal(span), np.ones(smooth) / smooth, "same")
        wave[start : start + span] += breath * np.hanning(span) * rng.uniform(100, 4000)
    elif kind == 2:
        base = rng.uniform(50, 1200)
        for number in range(1, rng.integers(2, 9)):
            phase = 2 * np.pi * base * number * time + rng.uniform(0, 6)
            wave += np.sin(phase) * rng.uniform(0, 1) / number
        beat = 0.5 + 0.5 * np.sin(2 * np.pi * rng.uniform(0.2, 4) * time + rng.uniform(0, 6))
        wave *= beat * rng.uniform(100, 5000)
    elif kind == 3:
        smooth = rng.integers(1, 30)
        hiss = np.convolve(rng.standard_normal(length), np.ones(smooth) / smooth, "same")
        wave += hiss / (hiss.std() + 1e-9) * 10 ** rng.uniform(0.5, 3.5)
    else:
        span = min(length - 1, int(rng.integers(300, 4000)))
        start = rng.integers(length - span)
        swing = np.sin(2 * np.pi * rng.uniform(40, 300) * time[:span])
        fall = np.exp(-time[:span] * rng.uniform(10, 80))
        wave[start : start + span] += swing * fall * rng.uniform(500, 15000)
    return wave.astype(np.float32)


def music(rng, length):
    """Tones after and over each other, with beats: their sweeps and harmonics resemble vowels."""
    wave = np.zeros(length, np.float32)
    for _ in range(rng.integers(1, 4)):
        start = 0
        harmonics = rng.uniform(0, 1, rng.integers(1, 14)) ** rng.uniform(0.5, 3)
        wobble = rng.uniform(0, 0.02) * rng.integers(0, 2)
        while start < length:
            span = min(length - start, int(rng.uniform(0.08, 0.9) * config.SAMPLE_RATE))
            time = np.arange(span) / config.SAMPLE_RATE
            pitch = 80 * 2 ** rng.uniform(0, 3.5)
            angle = pitch * time + wobble * pitch / 6 * np.sin(2 * np.pi * 6 * time)
            note = np.zeros(span)
            for number, loud in enumerate(harmonics, 1):
                if pitch * number < config.SAMPLE_RATE / 2:
                    note += loud * np.sin(2 * np.pi * number * angle)
            rise = np.minimum(1, time / rng.uniform(0.003, 0.1))
            wave[start : start + span] += note * rise * np.exp(-time * rng.uniform(0, 9))
            start += span
    wave *= 10 ** rng.uniform(2.5, 4.3) / (np.abs(wave).max() + 1e-6)
    if rng.random() < 0.4:
        wave = wave + event(rng, length)
    return wave


class Sound:
    """Changes one recording; remembers how its times moved."""

    SPEEDS = (0.86, 0.9, 0.95, 1.0, 1.0, 1.0, 1.05, 1.1, 1.15, 1.2)

    def __init__(self, rng):
        self.rng = rng

    def apply(self, wave):
        """Return (samples, speed factor, seconds put before)."""
        rng = self.rng
        factor = float(rng.choice(self.SPEEDS))
        wave = speed(np.asarray(wave, np.float32), factor)
        wave = wave * (10 ** rng.uniform(2.8, 4.45) / (np.abs(wave).max() + 1))
        before, after = self._pause(), self._pause()
        wave = np.concatenate([self._around(before), wave, self._around(after)])
        if rng.random() < 0.5:
            wave = fftconvolve(wave, room(rng))[: len(wave)].astype(np.float32)
        if rng.random() < 0.3:
            limit = rng.uniform(0.03, 1) * np.abs(wave).max()
            wave = np.clip(wave, -limit, limit)
        if rng.random() < 0.12:
            wave = telephone(wave)
        if rng.random() < 0.85:
            noise = 10 ** rng.uniform(0, 2.0) if rng.random() < 0.5 else 1.0
            wave = wave + rng.standard_normal(len(wave)).astype(np.float32) * noise
        wave = np.clip(wave, -FULL_SCALE, FULL_SCALE)
        return np.round(wave), factor, before / config.SAMPLE_RATE

    def _pause(self):
        longest = 0.7 if self.rng.random() < 0.5 else 0.2
        return int(self.rng.uniform(0.02, longest) * config.SAMPLE_RATE)

    def _around(self, length):
        if self.rng.random() < 0.15:
            return event(self.rng, length)
        return np.zeros(length, np.float32)


def _curve(rng, points, spread):
    """A smooth random line over the mel bins."""
    values = rng.standard_normal(points) * spread
    return np.interp(np.arange(BINS), np.linspace(0, BINS - 1, points), values).astype(np.float32)


def _warp(frames, rng):
    """Vocal tract length, and formants that move on their own: stretch the mel axis unevenly."""
    places = np.arange(BINS) * rng.uniform(0.82, 1.20) + _curve(rng, 5, rng.uniform(0, 0.8))
    places = np.clip(places, 0, BINS - 1)
    below = np.floor(places).astype(int)
    share = (places - below).astype(np.float32)
    above = np.minimum(below + 1, BINS - 1)
    return frames[:, below] * (1 - share) + frames[:, above] * share


def uneven_time(count, rng):
    """Places on the time axis for speech that hurries and drags.

    Synthesisers time every sound alike; people do not.
    """
    knots = max(3, count // rng.integers(12, 40))
    pace = np.exp(rng.standard_normal(knots) * rng.uniform(0, 0.35)) * rng.uniform(0.85, 1.2)
    steps = np.interp(np.arange(count * 2), np.linspace(0, count, knots), np.clip(pace, 0.5, 2.0))
    places = np.concatenate([[0], np.cumsum(steps)])
    return places[places <= count - 1]


def at_places(frames, places):
    """Frames between frames."""
    below = np.floor(places).astype(int)
    above = np.minimum(below + 1, len(frames) - 1)
    share = (places - below).astype(np.float32)[:, None]
    return frames[below] * (1 - share) + frames[above] * share


def hall(frames, rng):
    """What a hall adds, which is everything that was said before, fainter and blurred.

    Like `room`, but in the features, so that an utterance is heard in another hall every time.
    """
    decay_s = rng.uniform(0.3, 1.8) * np.linspace(1, rng.uniform(0.4, 1), BINS)
    kept = np.exp(-FRAMES_TO_60_DB / decay_s)
    power = np.exp(frames.astype(np.float64))
    tail = np.empty_like(power)
    for row in range(BINS):
        tail[:, row] = lfilter([0, 1 - kept[row]], [1, -kept[row]], power[:, row])
    wet = np.exp(rng.uniform(-10, 2) * NATS_OF_DB)
    tail *= wet * rng.gamma(4, 0.25, tail.shape)
    return np.log(power + tail).astype(np.float32)


def _level(frames):
    return np.percentile(frames.mean(axis=1), 90)


def spectral(frames, rng, other):
    """Augment log-mel frames; `other()` returns the frames of another utterance, for babble."""
    count = len(frames)
    if rng.random() < 0.7:
        frames = _warp(frames, rng)
    if rng.random() < 0.7:
        frames = frames + _curve(rng, 5, rng.uniform(0, 1.6))
    frames = frames + np.float32(rng.uniform(-2.5, 1.5))
    if rng.random() < 0.3:
        frames = hall(frames, rng)
    kind = rng.random()
    if kind < 0.22:
        level = _level(frames) - rng.uniform(1.5, 9.0)
        tilt = np.linspace(0, rng.uniform(-4, 1), BINS)
        shape = _curve(rng, 6, 1.5) + tilt
        flicker = np.log(rng.gamma(4, 0.25, (count, BINS)) + 1e-3)
        swell = np.sin(np.arange(count) / rng.uniform(5, 80)) * rng.uniform(0, 1)
        noise = level + shape - shape.mean() + flicker + swell[:, None]
        frames = np.logaddexp(frames, noise.astype(np.float32))
    elif kind < 0.75:
        # Babble: one to four voices, 4 to 27 dB below the speaker in all.
        level = _level(frames) - rng.uniform(1.0, 6.2)
        voices = rng.integers(1, 5)
        for _ in range(voices):
            voice = other()
            start = rng.integers(len(voice))
            voice = np.roll(np.tile(voice, (count // len(voice) + 1, 1)), start, axis=0)[:count]
            noise = voice - _level(voice) + level - np.log(voices)
            frames = np.logaddexp(frames, noise.astype(np.float32))
    for _ in range(2):
        if rng.random() < 0.35:
            start = rng.integers(BINS - 4)
            frames = frames.copy()
            frames[:, start : start + rng.integers(1, 6)] = frames.mean()
    if rng.random() < 0.25 and count > 30:
        start = rng.integers(count - 8)
        frames = frames.copy()
        frames[start : start + rng.integers(1, 8)] = frames.min()
    return frames.astype(np.float32)
