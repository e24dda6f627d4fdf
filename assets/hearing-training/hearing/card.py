"""Stage "card": trains networks in rooms that are made anew for every batch, best on an NVIDIA card.

It needs the parts of stage "sources" and nothing else of the work folder. Several networks see the
same batches; each is written to `net-NUMBER.pt`. Its length is a time, since a card is lent.
Without a card a processor core does in an hour what a card does in one minute.
"""

import copy
import gzip
import json
import math
import multiprocessing
import os
import queue
import random
import threading
import time
from dataclasses import dataclass

import numpy as np
import soundfile
import torch

from . import augment, config, phones, rooms, transfer
from .data import words_of_spans
from .features import FRAME, SHIFT
from .mmi import Chain
from .net import STRIDE, Net
from .sources import FOLDER, PEAK
from .spoken import Graph
from .train import (
    AVERAGE_DECAY,
    HAS_SHORT_FLOATS,
    IGNORE,
    LARGEST_GRADIENT,
    LAST_RATE_SHARE,
    LEAST_KEPT,
    THREADS,
    UNEVEN_SHARE,
    WEIGHT_DECAY,
    cross_entropy,
    mmi_loss,
)

MINUTES = float(os.environ.get("ANNEXD_MODEL_MINUTES", "5"))
FROM = os.environ.get("ANNEXD_MODEL_FROM", "").split()
"""The networks that go on, one or more."""
RATE = float(os.environ.get("ANNEXD_MODEL_RATE", "1.5e-3"))
BATCH_S = float(os.environ.get("ANNEXD_MODEL_BATCH_S", "1000"))
"""Seconds of sound in a batch."""
ROUND = 8000
"""Utterances that are drawn at once, to be put together by their length."""
WARM_UP_STEPS = 150
NOISES, NOISE_S = 1200, (0.8, 4.0)
NOISE_SHARE = 0.03
BANK = (1500, 1000)
"""Echoes made of noise and of shoeboxes."""
SPEEDS = (0.84, 1.22)
PAUSES_S = (0.02, 0.7)
LABEL_S = config.FRAME_SHIFT_S
LAST_SHARE = 0.3
LAST_WEIGHTS = {"diphones": 0.4, "chess": 0.4, "talk": 0.8}
"""The end of the training hears few of the rolled r of espeak-ng and of the Festival voices."""
NEW_SHARE = 0.06
"""A new network starts on the phones' times."""
TELL_EVERY = 100


@dataclass
class Utterance:
    """What is known of one sound."""

    kind: str
    length: int
    copies: int
    graph: Graph
    labels: np.ndarray | None
    """The phone in every 10 ms, or None."""


def _labels(entry):
    count = int(entry["samples"] / config.SAMPLE_RATE / LABEL_S) + 1
    middles = (np.arange(count) + 0.5) * LABEL_S
    result = np.zeros(count, np.int8)
    for start, end, phone in entry["spans"]:
        result[(middles >= start) & (middles < end)] = phones.INDEX[phone]
    return result


def _part(path):
    """Samples of a part and its utterances."""
    wave, _ = soundfile.read(str(path).replace(".json.gz", ".opus"), dtype="int16")
    kind = path.name.split("-")[0]
    with gzip.open(path, "rt") as file:
        entries = json.load(file)
    utterances = []
    for entry in entries:
        spans = entry.get("spans")
        words = words_of_spans(spans) if spans else entry["words"]
        labels = _labels(entry) if spans else None
        graph = Graph.of_words(words)
        utterances.append(Utterance(kind, entry["samples"], entry["copies"], graph, labels))
    return wave, utterances


def _noise(number):
    rng = np.random.default_rng((config.SEED, number))
    length = int(rng.uniform(*NOISE_S) * config.SAMPLE_RATE)
    wave = augment.music(rng, length) if number % 2 else augment.event(rng, length)
    wave = wave * (PEAK / (np.abs(wave).max() + 1))
    labels = np.zeros(int(length / config.SAMPLE_RATE / LABEL_S) + 1, np.int8)
    return wave.astype(np.int16), [Utterance("noise", length, 1, Graph.of_silence(), labels)]


class Sounds:
    """All sounds in the card's memory."""

    def __init__(self):
        with multiprocessing.Pool() as pool:
            parts = pool.map(_part, sorted(FOLDER.glob("*.json.gz")), 1)
            noises = pool.map(_noise, range(NOISES), 10)
        if not parts:
            raise SystemExit(f"card: {FOLDER} has no parts; run the stage sources")
        spoken = sum(len(wave) for wave, _ in parts)
        self.utterances = [one for _, some in [*parts, *noises] for one in some]
        lengths = np.array([one.length for one in self.utterances])
        self.lengths = lengths
        starts = np.cumsum(lengths) - lengths
        unknown = np.full(1, IGNORE, np.int8)
        labels = [unknown if one.labels is None else one.labels for one in self.utterances]
        sizes = np.array([len(one) for one in labels])

        def there(values, kind=torch.int64):
            return torch.as_tensor(values, dtype=kind, device=config.DEVICE)

        self.waves = there(np.concatenate([wave for wave, _ in [*parts, *noises]]), torch.int16)
        self.starts, self.sizes = there(starts), there(lengths)
        self.labels = there(np.concatenate(labels), torch.int8)
        self.label_starts, self.label_sizes = there(np.cumsum(sizes) - sizes), there(sizes)
        self.voices = (0, spoken)
        of_noise = slice(len(lengths) - NOISES, None)
        self.noises = (self.starts[of_noise], self.sizes[of_noise])
        hours = spoken / config.SAMPLE_RATE / 3600
        print(f"card: {len(lengths) - NOISES} utterances, {hours:.1f} h", flush=True)

    def weights(self, by_kind):
        """The share of each in what is drawn."""
        weights = np.array([one.copies * by_kind.get(one.kind, 1) for one in self.utterances])
        is_noise = np.array([one.kind == "noise" for one in self.utterances])
        weights = np.where(is_noise, 0, weights / weights[~is_noise].sum() * (1 - NOISE_SHARE))
        weights[is_noise] = NOISE_SHARE / is_noise.sum()
        return weights


class Packed:
    """What is said in each utterance, packed so that a batch is put together quickly."""

    def __init__(self, graphs, chain):
        nodes, edges, shares, starts, ends = [], [], [], [], []
        for graph in graphs:
            phone_of = np.array(graph.nodes)
            pairs = [(node, to) for node, after in enumerate(graph.followers) for to in after]
            pairs = np.array(pairs, np.int64).reshape(-1, 2)
            one, two = phone_of[pairs[:, 0]], phone_of[pairs[:, 1]]
            nodes.append(phone_of)
            edges.append(pairs)
            shares.append((1 - chain.stay[one]) * chain.follow[one, two])
            start, end = np.zeros(len(phone_of)), np.zeros(len(phone_of))
            start[graph.starts] = chain.start[phone_of[graph.starts]]
            end[graph.ends] = 1
            starts.append(start)
            ends.append(end)
        self.each = nodes, edges, shares, starts, ends

    def batch(self, numbers):
        """As `Chain.said`."""
        nodes, edges, shares, starts, ends = ([kind[n] for n in numbers] for kind in self.each)
        rows, size = len(numbers), max(map(len, nodes))
        row = np.repeat(np.arange(rows), [len(one) for one in nodes])
        column = np.concatenate([np.arange(len(one)) for one in nodes])

        def square(values, kind):
            result = np.zeros((rows, size), kind)
            result[row, column] = np.concatenate(values)
            return torch.from_numpy(result)

        pairs = np.concatenate(edges)
        edge_row = np.repeat(np.arange(rows), [len(one) for one in edges])
        place = torch.from_numpy((edge_row * size + pairs[:, 0]) * size + pairs[:, 1])
        share = torch.from_numpy(np.concatenate(shares).astype(np.float32))
        moves = torch.zeros(rows * size * size, device=config.DEVICE)
        moves[place.to(config.DEVICE)] = share.to(config.DEVICE)
        flat = [square(nodes, np.int64), square(starts, np.float32), square(ends, np.float32)]
        nodes, starts, ends = (one.to(config.DEVICE) for one in flat)
        return nodes, moves.view(rows, size, size), starts, ends


class Batches:
    """Endless batches: features, frames, phones at the answers, and what is said."""

    def __init__(self, sounds, packed, seed):
        self.sounds, self.packed = sounds, packed
        self.random = np.random.default_rng(seed)
        self.rng = torch.Generator(device=config.DEVICE).manual_seed(seed)
        bank = rooms.echoes(self.rng, *BANK)
        self.rooms = rooms.Rooms(self.rng, sounds.waves, sounds.voices, sounds.noises, bank)
        self.first, self.last = sounds.weights({}), sounds.weights(LAST_WEIGHTS)
        self.are_last, self.waiting = False, []
        """Whether the kinds are drawn as at the end of a training; set from outside."""

    def next(self):
        """One batch."""
        if not self.waiting:
            self.waiting = self._round()
        return self._load(*self.waiting.pop())

    def _round(self):
        """Numbers, speeds and pauses of some batches, each of utterances of similar length."""
        count, weights = ROUND, self.last if self.are_last else self.first
        numbers = self.random.choice(len(weights), count, p=weights)
        speeds = self.random.uniform(*SPEEDS, count)
        longest = np.where(self.random.random((2, count)) < 0.5, PAUSES_S[1], 0.2)
        before, after = self.random.uniform(PAUSES_S[0], longest) * config.SAMPLE_RATE
        lengths = self.sounds.lengths[numbers] / speeds + before + after
        batches, batch, most = [], [], BATCH_S * config.SAMPLE_RATE
        for one in np.argsort(lengths):
            if batch and lengths[one] * (len(batch) + 1) > most:
                batches.append(batch)
                batch = []
            batch.append(one)
        batches = [(numbers[b], speeds[b], before[b], lengths[b]) for b in batches]
        self.random.shuffle(batches)
        return batches

    def _load(self, numbers, speeds, before, lengths):
        def column(values, kind=torch.float32):
            return torch.as_tensor(values, dtype=kind, device=config.DEVICE)[:, None]

        sounds, which = self.sounds, torch.as_tensor(numbers, device=config.DEVICE)
        speed, before = column(speeds), column(before)
        start, size = sounds.starts[which][:, None], sounds.sizes[which][:, None]
        wave = rooms.at_speed(sounds.waves, start, size, speed, before, int(lengths.max()))
        frames = rooms.log_mel(self.rooms.heard(wave / PEAK))
        counts = 1 + (column(lengths, torch.int64)[:, 0] - FRAME).div(SHIFT, rounding_mode="floor")
        places, used = rooms.uneven(self.rng, counts, UNEVEN_SHARE)
        short = used < LEAST_KEPT * counts
        time = torch.arange(places.shape[1], device=config.DEVICE).expand_as(places)
        places = torch.where(short[:, None], time.minimum(counts[:, None] - 1).float(), places)
        used = torch.where(short, counts, used)
        answers = used // STRIDE
        longest = STRIDE * int(answers.max())
        places = places[:, :longest]
        last = places.gather(1, (STRIDE * answers - 1)[:, None])
        inside = time[:, :longest] < STRIDE * answers[:, None]
        places = torch.where(inside, places, last)
        frames = rooms.spectral(rooms.at_places(frames, places), self.rng)
        known = self._known(which, places[:, ::STRIDE], speed, before, answers)
        return frames, answers, known, self.packed.batch(numbers)

    def _known(self, which, places, speed, before, answers):
        """Outputs that are right, where the phones' times are known."""
        seconds = (places * config.FRAME_SHIFT_S + 0.0125 - before / config.SAMPLE_RATE) * speed
        at = torch.div(seconds, LABEL_S).floor().long()
        size = self.sounds.label_sizes[which][:, None]
        place = self.sounds.label_starts[which][:, None] + at.clamp(min=0).minimum(size - 1)
        phone = self.sounds.labels[place].long()
        outside = (at < 0) | (at >= size)
        phone = torch.where(outside & (phone != IGNORE), torch.zeros_like(phone), phone)
        again = torch.zeros_like(phone)
        again[:, 1:] = (phone[:, 1:] == phone[:, :-1]).long()
        result = torch.where(phone == IGNORE, phone, 2 * phone + again)
        inside = torch.arange(places.shape[1], device=config.DEVICE) < answers[:, None]
        return torch.where(inside, result, IGNORE)


class Pupil:
    """One network and its optimiser."""

    def __init__(self, net):
        self.net = net.to(config.DEVICE).train()
        self.average = copy.deepcopy(self.net)
        self.optimiser = torch.optim.AdamW(
            net.parameters(), lr=RATE, weight_decay=WEIGHT_DECAY, fused=config.DEVICE == "cuda"
        )

    def step(self, rate, decay):
        """After `backward`."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), LARGEST_GRADIENT)
        self.optimiser.step()
        self.optimiser.zero_grad()
        theirs, mine = self.net.state_dict(), self.average.state_dict()
        names = [name for name, value in mine.items() if value.dtype.is_floating_point]
        with torch.no_grad():
            torch._foreach_lerp_([mine[n] for n in names], [theirs[n] for n in names], 1 - decay)


class Ahead:
    """Makes batches beside the training, on a stream of its own."""

    def __init__(self, batches):
        self.batches, self.ready = batches, queue.Queue(2)
        self.stream = torch.cuda.Stream()
        threading.Thread(target=self._make, daemon=True).start()

    def _make(self):
        while True:
            try:
                with torch.cuda.stream(self.stream):
                    batch = self.batches.next()
                    made = self.stream.record_event()
            except Exception as error:  # the training shall end, not wait for ever
                self.ready.put((error, None))
                return
            self.ready.put((batch, made))

    def next(self):
        """One batch."""
        batch, made = self.ready.get()
        if made is None:
            raise batch
        frames, answers, known, said = batch
        here = torch.cuda.current_stream()
        here.wait_event(made)
        for tensor in (frames, answers, known, *said):
            tensor.record_stream(here)
        return frames, answers, known, said


def _heard(batches):
    return transfer.Sample(
        frames[row, : STRIDE * count].cpu().numpy()
        for frames, answers, *_ in batches
        for row, count in enumerate(answers.tolist())
    )


def _start(batches):
    """The networks that go on, or a new one."""
    some = _heard(batches.next() for _ in range(3))
    if FROM:
        return [transfer.start(some, one) for one in FROM]
    net = Net()
    mean, deviation = some.spread()
    net.mean[:], net.deviation[:] = torch.from_numpy(mean), torch.from_numpy(deviation)
    return [net]


def _loss(pupils, batch, chain):
    """Of all networks together: the paths of what was said cost as much for one as for all."""
    frames, answers, known, said = batch
    has_short_floats = config.DEVICE == "cuda" or HAS_SHORT_FLOATS
    with torch.autocast(config.DEVICE, dtype=torch.bfloat16, enabled=has_short_floats):
        scores = torch.cat([pupil.net(frames) for pupil in pupils])
    count = len(pupils)
    every = [one.repeat(count, *[1] * (one.dim() - 1)) for one in said]
    known = known.repeat(count, 1)
    if chain is None:
        loss = cross_entropy(scores, known)
        return count * loss, -loss.detach(), loss.detach() * 0
    loss, objective, bad = mmi_loss(chain, scores, answers.repeat(count), known, every)
    return count * loss, objective, bad


def _train(pupils, batches, chain):
    ahead = Ahead(batches) if config.DEVICE == "cuda" else batches
    started, told, step, sums = time.time(), time.time(), 0, []
    while True:
        done = (time.time() - started) / (60 * MINUTES)
        if done >= 1:
            return
        batches.are_last = done > 1 - LAST_SHARE
        warm = min(1, (step + 1) / WARM_UP_STEPS)
        falling = 0.5 * (1 + math.cos(math.pi * done))
        rate = RATE * warm * (LAST_RATE_SHARE + (1 - LAST_RATE_SHARE) * falling)
        is_new = not FROM and done < NEW_SHARE
        loss, *told_of = _loss(pupils, ahead.next(), None if is_new else chain)
        loss.backward()
        step += 1
        decay = min(AVERAGE_DECAY, step / (step + 10))
        for pupil in pupils:
            pupil.step(rate, decay)
        sums.append(torch.stack(told_of))
        if step % TELL_EVERY == 0:
            objective, bad = torch.stack(sums).mean(0).tolist()
            pace = (time.time() - told) / TELL_EVERY
            print(
                f"card: step {step} objective {objective:.4f} unaligned {bad:.3f} "
                f"{pace:.3f} s a step, {100 * done:.0f} %",
                flush=True,
            )
            told, sums = time.time(), []
            _keep(pupils)


def _keep(pupils):
    for number, pupil in enumerate(pupils):
        torch.save(pupil.average.state_dict(), config.WORK / f"net-{number}.pt")


def run():
    """Train for the minutes given."""
    torch.manual_seed(config.SEED)
    if config.DEVICE == "cpu":
        torch.set_num_threads(THREADS)
    sounds = Sounds()
    graphs = [one.graph for one in sounds.utterances]
    draw = random.Random(config.SEED)
    chain = Chain.count([(g.nodes, g.followers, g.starts, g.ends) for g in graphs], draw)
    batches = Batches(sounds, Packed(graphs, chain), config.SEED)
    pupils = [Pupil(net) for net in _start(batches)]
    _train(pupils, batches, chain)
    for pupil in pupils:
        pupil.average.cpu()
    _keep(pupils)
