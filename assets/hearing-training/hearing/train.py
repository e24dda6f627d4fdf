"""Stage "train": a short cross-entropy start on espeak-ng's times, then lattice-free MMI."""

import copy
import json
import math
import os
import random
import time

import numpy as np
import torch
from torch.nn import functional

from . import augment, config, phones, transfer
from .data import FIRST_CHUNKS, LAST_CHUNKS, chunk_path
from .features import BINS, FLOOR
from .mmi import Chain
from .net import OUTPUTS, STRIDE, Net

THREADS = int(os.environ.get("ANNEXD_MODEL_THREADS", "2"))
BATCH_FRAMES = 9000
LEARNING_RATE = float(os.environ.get("ANNEXD_MODEL_RATE", "2e-3"))
LAST_PHASE_RATE = float(os.environ.get("ANNEXD_MODEL_LAST_RATE", "4e-4"))
LAST_RATE_SHARE = 0.02
WARM_UP_STEPS = 100
WEIGHT_DECAY = 1e-3
LARGEST_GRADIENT = 2.0
CE_SHARE = 0.05
"""A little cross-entropy stays in during MMI where times are known."""
OUTPUT_PENALTY = 2e-4
AVERAGE_DECAY = 0.998
"""The model that is exported is a running average of the last few hundred steps."""
KEEP_EVERY = 250
UNEVEN_SHARE = 0.6
"""How many utterances are stretched unevenly in time."""
LEAST_KEPT = 0.6
"""Utterances must not become so short that their phones no longer fit."""
IGNORE = -100
HAS_SHORT_FLOATS = torch.backends.mkldnn.is_available() and torch.cpu._is_avx512_bf16_supported()
"""Where the processor does not know them, they are several times slower than whole ones."""


class Data:
    """Chunks in memory."""

    def __init__(self, kinds):
        self.frames, self.entries = [], []
        for kind, count in kinds.items():
            for number in range(count):
                path = chunk_path(kind, number)
                self.frames.append(np.load(path.with_suffix(".npy")))
                start = 0
                for entry in json.loads(path.read_text()):
                    where = (len(self.frames) - 1, start, entry["frames"])
                    known = entry["aligned"]
                    known = None if known is None else np.array(known, np.int8)
                    self.entries.append((where, entry["graph"], known))
                    start += entry["frames"]

    def __len__(self):
        return len(self.entries)

    def length(self, number):
        """Feature frames of an utterance."""
        return self.entries[number][0][2]

    def graph(self, number):
        """What is said in it."""
        return self.entries[number][1]

    def aligned(self, number):
        """The phone at every frame, or None for people."""
        return self.entries[number][2]

    def log_mel(self, number):
        """Its features."""
        chunk, start, length = self.entries[number][0]
        return self.frames[chunk][start : start + length].astype(np.float32)

    def spread(self):
        """Mean and deviation of the features above the floor."""
        some = np.concatenate([chunk[::37] for chunk in self.frames]).astype(np.float32)
        some = np.maximum(some, FLOOR)
        return some.mean(axis=0), some.std(axis=0)


class Batches:
    """Endless batches of utterances of similar length, augmented anew each time.

    Without a chain only utterances whose times are known, and nothing of what was said.
    """

    def __init__(self, data, chain, seed):
        self.data, self.chain = data, chain
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(self.random.getrandbits(64))
        everything = range(len(data))
        self.numbers_used = [n for n in everything if chain or data.aligned(n) is not None]

    def __iter__(self):
        while True:
            order = sorted(
                self.numbers_used, key=lambda n: self.data.length(n) + self.random.uniform(0, 20)
            )
            batches, batch, longest = [], [], 0
            for number in order:
                length = self.data.length(number)
                if batch and max(longest, length) * (len(batch) + 1) > BATCH_FRAMES:
                    batches.append(batch)
                    batch, longest = [], 0
                batch.append(number)
                longest = max(longest, length)
            batches.append(batch)
            self.random.shuffle(batches)
            for batch in batches:
                yield self._load(batch)

    def _load(self, batch):
        changed, known = zip(*(self._changed(number) for number in batch))
        lengths = [len(frames) // STRIDE for frames in changed]
        longest = max(lengths)
        frames = np.zeros((len(batch), STRIDE * longest, BINS), np.float32)
        targets = np.full((len(batch), longest), IGNORE, np.int64)
        for row, (new, phone_at) in enumerate(zip(changed, known)):
            used = STRIDE * lengths[row]
            frames[row, :used] = new[:used]
            frames[row, used:] = new[used - 1]
            if phone_at is not None:
                targets[row, : lengths[row]] = _outputs(phone_at[:used:STRIDE])
        graphs = [self.data.graph(number) for number in batch]
        said = self.chain.said(graphs) if self.chain else ()
        return torch.from_numpy(frames), torch.tensor(lengths), torch.from_numpy(targets), *said

    def _changed(self, number):
        """One utterance, augmented, and its phones if their times are known."""
        frames, known = self.data.log_mel(number), self.data.aligned(number)
        if self.numbers.random() < UNEVEN_SHARE:
            places = augment.uneven_time(len(frames), self.numbers)
            if len(places) >= LEAST_KEPT * len(frames):
                frames = augment.at_places(frames, places)
                known = None if known is None else known[np.round(places).astype(int)]
        return augment.spectral(frames, self.numbers, self._other), known

    def _other(self):
        return self.data.log_mel(self.random.randrange(len(self.data)))


def _outputs(phone_at):
    """Phones per answer frame to output numbers: first frame, rest."""
    phone_at = phone_at.astype(np.int64)
    again = np.zeros(len(phone_at), np.int64)
    again[1:] = phone_at[1:] == phone_at[:-1]
    return 2 * phone_at + again


def cross_entropy(scores, targets):
    """Against espeak-ng's times."""
    total = functional.cross_entropy(
        scores.reshape(-1, OUTPUTS), targets.reshape(-1), ignore_index=IGNORE, reduction="sum"
    )
    return total / (targets != IGNORE).sum().clamp(min=1)


def mmi_loss(chain, scores, lengths, targets, said):
    """A loss whose gradient is that of MMI, and the objective per frame for the log."""
    time_steps = torch.arange(scores.shape[1], device=scores.device)
    inside = (time_steps[None] < lengths[:, None]).float()[:, :, None]
    frames = lengths.sum()
    with torch.no_grad():
        fixed = scores.detach() * inside
        all_said, all_likelihood = chain.denominator(fixed, lengths)
        was_said, likelihood, good = chain.numerator(fixed, lengths, said)
        gradient = (all_said - was_said) * good[:, None, None]
        objective = ((likelihood - all_likelihood) * good).sum() / frames
    loss = (scores * gradient).sum() / frames * STRIDE
    loss = loss + OUTPUT_PENALTY * (scores * inside).pow(2).sum() / frames
    loss = loss + CE_SHARE * cross_entropy(scores, targets)
    return loss, objective, 1 - good.mean()


class Trainer:
    """One phase of training that can be interrupted and continued."""

    def __init__(self, net, data, phase, steps, chain=None, rate=LEARNING_RATE):
        self.net, self.phase, self.steps, self.chain = net, phase, steps, chain
        self.highest_rate = rate
        self.average = copy.deepcopy(self.net)
        self.optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=WEIGHT_DECAY)
        self.step = 0
        self.file = config.WORK / f"train-{phase}.pt"
        if self.file.exists():
            state = torch.load(self.file, weights_only=True)
            self.net.load_state_dict(state["net"])
            self.average.load_state_dict(state["average"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.step = state["step"]
            print(f"{phase}: goes on at step {self.step}", flush=True)
        seed = f"{config.SEED} {phase} {self.step}"
        torch.manual_seed(random.Random(seed).getrandbits(32))
        self.batches = iter(Batches(data, chain, seed))

    def _rate(self):
        rising = min(1, (self.step + 1) / WARM_UP_STEPS)
        falling = 0.5 * (1 + math.cos(math.pi * self.step / self.steps))
        return self.highest_rate * rising * (LAST_RATE_SHARE + (1 - LAST_RATE_SHARE) * falling)

    def _keep(self):
        state = {
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
        }
        partial = self.file.with_suffix(".partial")
        torch.save(state, partial)
        partial.rename(self.file)

    def _average_in(self):
        decay = min(AVERAGE_DECAY, (self.step + 1) / (self.step + 10))
        new = self.net.state_dict()
        for name, value in self.average.state_dict().items():
            if value.dtype.is_floating_point:
                value.lerp_(new[name], 1 - decay)

    def run(self):
        """Train to the end and return the averaged network."""
        self.net.train()
        started, told = time.time(), self.step
        objectives, lost = [], []
        while self.step < self.steps:
            frames, lengths, targets, *said = next(self.batches)
            for group in self.optimiser.param_groups:
                group["lr"] = self._rate()
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HAS_SHORT_FLOATS):
                scores = self.net(frames)
            if self.chain is None:
                loss = cross_entropy(scores, targets)
                objectives.append(-loss.item())
            else:
                torch.set_num_threads(1)  # many tiny products: threads only wait for each other
                loss, objective, bad = mmi_loss(self.chain, scores, lengths, targets, said)
                objectives.append(objective.item())
                lost.append(bad.item())
                torch.set_num_threads(THREADS)
            self.optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), LARGEST_GRADIENT)
            self.optimiser.step()
            self._average_in()
            self.step += 1
            if self.step % 100 == 0:
                pace = (time.time() - started) / (self.step - told)
                print(
                    f"{self.phase} {self.step}/{self.steps} objective {np.mean(objectives):.4f} "
                    f"unaligned {np.mean(lost or [0]):.3f} {pace:.2f} s a step, "
                    f"{pace * (self.steps - self.step) / 60:.0f} min left",
                    flush=True,
                )
                objectives, lost = [], []
            if self.step % KEEP_EVERY == 0 or self.step == self.steps:
                self._keep()
        return self.average


def _cross_entropy_start(data):
    """The short start on espeak-ng's times."""
    torch.manual_seed(config.SEED)
    if transfer.FROM:
        net = transfer.start(data)
    else:
        net = Net()
        mean, deviation = data.spread()
        net.mean[:], net.deviation[:] = torch.from_numpy(mean), torch.from_numpy(deviation)
    return Trainer(net, data, "ce", config.CE_STEPS).run()


def _chain(data):
    """The phone bigram of some data, to which MMI compares what is said."""
    graphs = [data.graph(number) for number in range(len(data))]
    return Chain.count(graphs, random.Random(config.SEED))


def _told(data):
    hours = sum(data.length(n) for n in range(len(data))) * config.FRAME_SHIFT_S / 3600
    print(f"train: {len(data)} utterances, {hours:.1f} h", flush=True)
    return data


def run():
    """Train from nothing, or go on with a network of before."""
    torch.set_num_threads(THREADS)
    if config.MMI_STEPS:
        data = _told(Data(FIRST_CHUNKS))
        chain = _chain(data)
        start = _cross_entropy_start(data)
        average = Trainer(start, data, "mmi", config.MMI_STEPS, chain).run()
        data = _told(Data(LAST_CHUNKS))
    else:
        if not transfer.FROM:
            raise SystemExit("train: ANNEXD_MODEL_FROM must name the network that is to go on")
        data = _told(Data(LAST_CHUNKS))
        average = transfer.start(data)
    last = Trainer(average, data, "last", config.LAST_STEPS, _chain(data), LAST_PHASE_RATE)
    torch.save(last.run().state_dict(), config.WORK / "net.pt")


assert phones.COUNT * 2 == OUTPUTS
