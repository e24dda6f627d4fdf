"""Kaldi's log-mel filter banks in numpy, exactly as libvosk computes them before its DCT."""

import functools

import numpy as np

from . import config

BINS = 40
LOW_HZ, HIGH_HZ = 60.0, 7600.0
FRAME = 400  # 25 ms
SHIFT = 160  # 10 ms
FFT = 512
PREEMPHASIS = 0.97
WINDOW_POWER = 0.85  # Kaldi's "povey" window
LEAST_ENERGY = np.finfo(np.float32).eps

FLOOR = 6.0
"""Log-mel level of noise of one least significant bit. The network cuts off below it, so that
digital silence, dither and a quiet sound card look alike."""


def _mel(hertz):
    return 1127.0 * np.log(1.0 + hertz / 700.0)


@functools.cache
def mel_matrix():
    """Triangles over the FFT bins, without the last one, as Kaldi leaves it out."""
    edges = np.linspace(_mel(LOW_HZ), _mel(HIGH_HZ), BINS + 2)
    points = _mel(np.arange(FFT // 2) * config.SAMPLE_RATE / FFT)
    left, centre, right = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    rising = (points - left) / (centre - left)
    falling = (right - points) / (right - centre)
    weights = np.minimum(rising, falling)
    return np.where((points > left) & (points < right), weights, 0.0).astype(np.float32)


@functools.cache
def _window():
    angle = 2 * np.pi * np.arange(FRAME) / (FRAME - 1)
    return ((0.5 - 0.5 * np.cos(angle)) ** WINDOW_POWER).astype(np.float32)


def log_mel(wave):
    """Samples on the 16-bit scale to a matrix of frames by bins."""
    wave = np.asarray(wave, dtype=np.float32)
    count = 1 + (len(wave) - FRAME) // SHIFT
    if count < 1:
        return np.zeros((0, BINS), np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(wave, FRAME)[::SHIFT][:count]
    frames = frames - frames.mean(axis=1, keepdims=True)
    before = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    frames = (frames - PREEMPHASIS * before) * _window()
    power = np.abs(np.fft.rfft(frames, FFT)[:, : FFT // 2]) ** 2
    return np.log(np.maximum(power.astype(np.float32) @ mel_matrix().T, LEAST_ENERGY))
