"""What rooms, microphones and other people do to many voices at once, on a card.

Like `augment`, but with samples to the end, and anew for every batch: a voice and those behind it
are each in a place of a room, and what the microphone does comes after all of them. Rows are
utterances. Decibels are of energy.
"""

import math

import torch
from torch.nn import functional

from . import config
from .features import BINS, FFT, FRAME, LEAST_ENERGY, PREEMPHASIS, SHIFT, WINDOW_POWER, mel_matrix

RATE = config.SAMPLE_RATE
FULL_SCALE = 32767.0
SOUND_M_S = 343.0
NATS_OF_DB = math.log(10) / 10
ECHO = int(1.3 * RATE)
"""Samples of the longest echo."""
TAPS = 16
"""Samples that one between samples is made of."""
MU = 255.0
NARROW_HZ = 3600.0


def uniform(rng, low, high, *shape):
    """Numbers between two."""
    return torch.rand(shape, generator=rng, device=rng.device) * (high - low) + low


def normal(rng, *shape):
    """Numbers around nought."""
    return torch.randn(shape, generator=rng, device=rng.device)


def chance(rng, share, rows):
    """Which rows something happens to, as a column."""
    return uniform(rng, 0, 1, rows, 1) < share


def gain(decibels):
    """What samples are multiplied by."""
    return torch.pow(10.0, decibels / 20)


def energy(wave):
    """Mean square where anything sounds, as a column."""
    square = wave.square()
    sounding = (square > 1e-6 * square.amax(1, keepdim=True)).float()
    return (square * sounding).sum(1, keepdim=True) / (sounding.sum(1, keepdim=True) + 1) + 1e-12


def noisy_echoes(rng, count):
    """Echoes [count, ECHO] of energy one: noise that decays, its heights faster."""
    hall = chance(rng, 0.5, count)
    decay_s = torch.where(hall, uniform(rng, 0.5, 1.8, count, 1), uniform(rng, 0.08, 0.7, count, 1))
    time = torch.arange(ECHO, device=rng.device) / RATE
    bright, dark = normal(rng, count, ECHO), normal(rng, count, ECHO)
    dark = below(dark, uniform(rng, 700, 3000, count, 1))
    share = uniform(rng, 1, 2.5, count, 1)
    echo = bright * torch.exp(-6.9 * time / decay_s * share) + dark * torch.exp(
        -6.9 * time / decay_s
    )
    gap = uniform(rng, 0.001, 0.008, count, 1)
    return _of_energy_one(torch.where(time < gap, torch.zeros_like(echo), echo))


def below(wave, hertz):
    """What lies below a frequency of each row, with a gentle edge."""
    spectrum = torch.fft.rfft(wave)
    at = torch.linspace(0, RATE / 2, spectrum.shape[1], device=wave.device)
    return torch.fft.irfft(spectrum / (1 + (at / hertz) ** 2), wave.shape[1])


def _of_energy_one(echo):
    return echo / (echo.square().sum(1, keepdim=True).sqrt() + 1e-9)


def shoebox_echo(rng):
    """The echo [ECHO] of a room with six walls, by the mirror images of the voice.

    The walls swallow more of the heights than of the depths.
    """

    def draw(low, high):
        return uniform(rng, low, high, 1).item()

    size = [draw(3, 24), draw(3, 18), draw(2.4, 7)]
    volume = math.prod(size)
    surface = 2 * (size[0] * size[1] + size[1] * size[2] + size[0] * size[2])
    decay_s = draw(0.15, 0.7) if volume < 150 else draw(0.4, 1.8)
    longest_m = SOUND_M_S * min(decay_s, 0.9 * ECHO / RATE)
    swallowed = 1 - math.exp(-0.161 * volume / (surface * decay_s))
    kept = math.sqrt(1 - min(0.99, swallowed))
    kept_high = kept ** draw(1.0, 2.2)
    squares, orders = [], []
    for length in size:
        voice, ear = draw(0.15, 0.85) * length, draw(0.15, 0.85) * length
        reach = math.ceil(longest_m / (2 * length))
        number = torch.arange(-reach, reach + 1, device=rng.device).float()
        places = torch.cat([2 * number * length + voice, 2 * number * length - voice]) - ear
        places = places + normal(rng, len(places)) * 0.03
        squares.append(places.square())
        orders.append(torch.cat([(2 * number).abs(), (2 * number - 1).abs()]))
    (x, y, z), (a, b, c) = squares, orders
    metres = (x[:, None, None] + y[:, None] + z).sqrt().flatten() + 0.1
    order = (a[:, None, None] + b[:, None] + c).flatten()
    first = metres.min()
    place = ((metres - first) / SOUND_M_S * RATE).round().long()
    near = (metres < longest_m) & (place < ECHO) & (order > 0)
    place, order, metres = place[near], order[near], metres[near]
    sign = torch.where(uniform(rng, 0, 1, len(order)) < 0.85, 1.0, -1.0)
    bands = []
    for share in (kept, kept_high):
        echo = torch.zeros(ECHO, device=rng.device)
        bands.append(echo.index_add_(0, place, sign * share**order / metres))
    low = below(bands[0][None], uniform(rng, 800, 3000, 1, 1))
    high = bands[1][None] - below(bands[1][None], uniform(rng, 800, 3000, 1, 1))
    echo = low + high
    echo = echo - below(echo, torch.full((1, 1), 60.0, device=rng.device))
    return _of_energy_one(echo)[0]


def echoes(rng, noisy, shoeboxes):
    """A bank of echoes of both kinds."""
    rooms = [shoebox_echo(rng) for _ in range(shoeboxes)]
    return torch.cat([noisy_echoes(rng, noisy), torch.stack(rooms)])


def at_speed(waves, starts, lengths, speeds, before, count):
    """Rows [rows, count] of pieces of one long wave, each at its own speed, behind its own pause.

    `speeds` and `before` (samples) are columns.
    """
    out = torch.arange(count, device=waves.device)
    source = (out - before) * speeds
    whole = source.floor()
    part, whole = source - whole, whole.long()
    narrow = torch.clamp(1 / speeds, max=1.0)
    result = torch.zeros(source.shape, device=waves.device)
    for tap in range(1 - TAPS // 2, TAPS // 2 + 1):
        place = whole + tap
        inside = (place >= 0) & (place < lengths)
        away = tap - part
        weight = narrow * torch.sinc(narrow * away) * torch.cos(away * (math.pi / TAPS)).square()
        weight = weight * (away.abs() < TAPS / 2)
        value = waves[(starts + place).clamp(0, len(waves) - 1)].float()
        result += torch.where(inside, value * weight, 0.0)
    return result


def convolved(wave, echo):
    """A voice's echo, without the voice."""
    needed = wave.shape[1] + echo.shape[1]
    double = 1 << needed.bit_length()
    size = min(size for size in (double * 9 // 16, double * 3 // 4, double) if size >= needed)
    spectrum = torch.fft.rfft(wave, size) * torch.fft.rfft(echo, size)
    return torch.fft.irfft(spectrum, size)[:, : wave.shape[1]]


class Rooms:
    """Puts voices into rooms, with people and noises, before a microphone."""

    def __init__(self, rng, waves, voices, noises, bank):
        """`waves` are all sounds in a row; `voices` (first, last) is the part with speech.

        `noises` are starts and lengths of the sounds that are no speech.
        """
        self.rng, self.waves, self.voices, self.noises, self.bank = rng, waves, voices, noises, bank

    def _change(self, share, wave, change):
        """Some rows become what `change` makes of them; it is told their numbers."""
        row = torch.nonzero(chance(self.rng, share, len(wave))[:, 0])[:, 0]
        if len(row):
            wave[row] = change(row)

    def _level(self, low, high, rows):
        return gain(uniform(self.rng, low, high, len(rows), 1))

    def _echo(self, wave, low, high):
        """Some rows with an echo, `low` to `high` decibels beside the voice."""
        rng, rows = self.rng, len(wave)
        number = torch.randint(len(self.bank), (rows,), generator=rng, device=rng.device)
        wet = gain(uniform(rng, low, high, rows, 1))
        return wave + wet * convolved(wave, self.bank[number])

    def _talkers(self, rows, count):
        """Other people, one to four in each row, of energy one."""
        rng, (first, last) = self.rng, self.voices
        heard = torch.zeros(rows, count, device=rng.device)
        people = torch.randint(1, 5, (rows, 1), generator=rng, device=rng.device)
        for number in range(4):
            row = torch.nonzero(people[:, 0] > number)[:, 0]
            start = torch.randint(
                first, last - count, (len(row), 1), generator=rng, device=rng.device
            )
            voice = self.waves[start + torch.arange(count, device=rng.device)].float()
            far = gain(uniform(rng, -8, 4, len(row), 1))
            heard[row] += far * voice / energy(voice).sqrt()
        self._change(0.6, heard, lambda row: self._echo(heard[row], -8, 8))
        return heard / energy(heard).sqrt()

    def _hiss(self, rows, count, like):
        """Noise of any colour, some of it that of speech, of energy one."""
        rng = self.rng
        size = 1 << (count - 1).bit_length()
        spectrum = torch.fft.rfft(normal(rng, rows, size))
        bins = spectrum.shape[1]
        curve = functional.interpolate(normal(rng, rows, 1, 8) * 7, bins, mode="linear")[:, 0]
        tilt = uniform(rng, -25, 3, rows, 1) * torch.linspace(0, 1, bins, device=rng.device)
        colour = gain(curve + tilt)
        speech = torch.fft.rfft(like, size).abs()
        smooth = functional.avg_pool1d(speech[:, None], 101, 1, 50, count_include_pad=False)[:, 0]
        colour = torch.where(chance(rng, 0.35, rows), smooth, colour)
        wave = torch.fft.irfft(spectrum * colour, size)[:, :count]
        time = torch.arange(count, device=rng.device) / RATE
        swell = torch.sin(
            6.28 * (uniform(rng, 0.1, 3, rows, 1) * time + uniform(rng, 0, 1, rows, 1))
        )
        wave = wave * (1 + uniform(rng, 0, 0.8, rows, 1) * swell)
        return wave / energy(wave).sqrt()

    def _noise(self, rows, count):
        """Clicks, breath, hum, music: somewhere in each row, the loudest sample one."""
        rng, (starts, lengths) = self.rng, self.noises
        number = torch.randint(len(starts), (rows,), generator=rng, device=rng.device)
        start, length = starts[number][:, None], lengths[number][:, None]
        before = torch.rand(rows, 1, generator=rng, device=rng.device) * 1.2 - 0.6
        place = torch.arange(count, device=rng.device) - (before * count).long()
        inside = (place >= 0) & (place < length)
        wave = self.waves[(start + place).clamp(0, len(self.waves) - 1)].float()
        wave = torch.where(inside, wave, 0.0)
        return wave / (wave.abs().amax(1, keepdim=True) + 1)

    def heard(self, wave):
        """What the microphone hears of voices [rows, samples], on the scale of 16 bits."""
        count = wave.shape[1]
        level, dry = energy(wave).sqrt(), wave.clone()
        loudest = dry.abs().amax(1, keepdim=True)
        for share, low, high in ((0.3, -18, -4), (0.55, -9, 4)):
            self._change(share, wave, lambda row: self._echo(dry[row], low, high))

        def talkers(row):
            return level[row] * self._level(-27, -4, row) * self._talkers(len(row), count)

        def hiss(row):
            return level[row] * self._level(-35, -4, row) * self._hiss(len(row), count, dry[row])

        def noise(row):
            return loudest[row] * self._level(-25, 4, row) * self._noise(len(row), count)

        for share, other in ((0.45, talkers), (0.3, hiss), (0.15, noise)):
            self._change(share, wave, lambda row: wave[row] + other(row))
        return self._microphone(wave)

    def _microphone(self, wave):
        rng, rows = self.rng, len(wave)
        wave = wave / (wave.abs().amax(1, keepdim=True) + 1e-6)
        limit = torch.exp(uniform(rng, math.log(0.06), 0, rows, 1))
        soft = limit * torch.tanh(wave / limit)
        clipped = torch.where(chance(rng, 0.25, rows), soft, wave.clamp(-limit, limit))
        wave = torch.where(chance(rng, 0.33, rows), clipped, wave)
        self._change(0.08, wave, lambda row: self._telephone(wave[row]))
        wave = wave * torch.pow(10.0, uniform(rng, 2.8, 4.5, rows, 1))
        dither = torch.pow(10.0, uniform(rng, 0, 2, rows, 1))
        dither = torch.where(chance(rng, 0.5, rows), dither, 1.0)
        dither = torch.where(chance(rng, 0.85, rows), dither, 0.0)
        wave = wave + dither * normal(rng, *wave.shape)
        return wave.clamp(-FULL_SCALE, FULL_SCALE).round()

    @staticmethod
    def _telephone(wave):
        spectrum = torch.fft.rfft(wave)
        at = torch.linspace(0, RATE / 2, spectrum.shape[1], device=wave.device)
        narrow = torch.fft.irfft(spectrum * (at < NARROW_HZ), wave.shape[1]).clamp(-1, 1)
        pressed = narrow.sign() * torch.log1p(MU * narrow.abs()) / math.log1p(MU)
        pressed = (pressed * 127).round() / 127
        return pressed.sign() * torch.expm1(pressed.abs() * math.log1p(MU)) / MU


def log_mel(wave):
    """`features.log_mel` of rows."""
    angle = 2 * math.pi * torch.arange(FRAME, device=wave.device) / (FRAME - 1)
    window = (0.5 - 0.5 * torch.cos(angle)) ** WINDOW_POWER
    frames = wave.unfold(1, FRAME, SHIFT)
    frames = frames - frames.mean(2, keepdim=True)
    before = torch.cat([frames[:, :, :1], frames[:, :, :-1]], 2)
    spectrum = torch.fft.rfft((frames - PREEMPHASIS * before) * window, FFT)
    power = spectrum[:, :, : FFT // 2].abs().square()
    mel = torch.from_numpy(mel_matrix()).to(wave.device)
    return torch.log(torch.clamp(power @ mel.T, min=LEAST_ENERGY))


def _curve(rng, rows, points, spread):
    return functional.interpolate(
        normal(rng, rows, 1, points) * spread[:, :, None], BINS, mode="linear", align_corners=True
    )[:, 0]


def spectral(frames, rng):
    """Other throats and other microphones: rows of log-mel frames [rows, time, BINS]."""
    rows = len(frames)
    bins = torch.arange(BINS, device=frames.device)
    places = bins * uniform(rng, 0.82, 1.2, rows, 1)
    places = places + _curve(rng, rows, 5, uniform(rng, 0, 0.8, rows, 1))
    places = torch.where(chance(rng, 0.7, rows), places, bins.float()).clamp(0, BINS - 1)
    under = places.floor().long()
    share = (places - under)[:, None]
    over = (under + 1).clamp(max=BINS - 1)

    def column(number):
        return frames.gather(2, number[:, None].expand_as(frames))

    frames = column(under) * (1 - share) + column(over) * share
    curve = _curve(rng, rows, 5, uniform(rng, 0, 1.6, rows, 1)) * chance(rng, 0.7, rows)
    frames = frames + curve[:, None] + uniform(rng, -2.5, 1.5, rows, 1)[:, None]
    mean = frames.mean((1, 2), keepdim=True)
    for _ in range(2):
        start, width = uniform(rng, 0, BINS - 4, rows, 1).long(), uniform(rng, 1, 6, rows, 1).long()
        hidden = (bins >= start) & (bins < start + width) & chance(rng, 0.3, rows)
        frames = torch.where(hidden[:, None], mean, frames)
    time = torch.arange(frames.shape[1], device=frames.device)
    start = uniform(rng, 0, 1, rows, 1) * (frames.shape[1] - 8)
    hidden = (time >= start) & (time < start + uniform(rng, 1, 8, rows, 1)) & chance(rng, 0.2, rows)
    least = frames.amin((1, 2), keepdim=True)
    return torch.where(hidden[:, :, None], least, frames)


def uneven(rng, counts, share):
    """Places [rows, time] on the time axis, and how many of them are used, of `counts` frames.

    Like `augment.uneven_time`, for a `share` of the rows; the others keep their frames.
    """
    rows, longest = len(counts), int(counts.max())
    knots = 66
    spread = uniform(rng, 0, 0.35, rows, 1)
    pace = torch.exp(normal(rng, rows, knots) * spread) * uniform(rng, 0.85, 1.2, rows, 1)
    pace = torch.where(chance(rng, share, rows), pace.clamp(0.5, 2), 1.0)
    apart = uniform(rng, 12, 40, rows, 1)
    time = torch.arange(int(1.5 * longest), device=rng.device)
    at = (time / apart).clamp(max=knots - 2)
    low = at.floor().long()
    part = at - low
    steps = pace.gather(1, low) * (1 - part) + pace.gather(1, low + 1) * part
    places = torch.cumsum(steps, 1) - steps[:, :1]
    used = (places <= counts[:, None] - 1).sum(1)
    return places.minimum(counts[:, None] - 1.0), used


def at_places(frames, places):
    """Frames between frames."""
    under = places.floor().long()
    share = (places - under)[:, :, None]
    over = (under + 1).clamp(max=frames.shape[1] - 1)

    def row(number):
        return frames.gather(1, number[:, :, None].expand(-1, -1, frames.shape[2]))

    return row(under) * (1 - share) + row(over) * share
