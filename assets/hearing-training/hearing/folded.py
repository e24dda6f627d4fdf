"""A finished network with its normalisations folded away: what is written, read back and cut down.

Its layers see what the written network's do: log-mel values above the floor, and sums of relus.
"""

import struct
from dataclasses import dataclass

import numpy as np

from .features import FLOOR
from .net import FIRST_REACH, OFFSETS, SKIP, STRIDE

RANK_STEP = 8
"""Ranks are multiples of this: processors multiply in such blocks."""
DEAD = 1e-2
"""What varies less than this, of about one, says nothing. Divided by its deviation it would have
weights so great that 8 bits left nothing of the others."""
SHUT = -1e4
"""The bias of what says nothing: weights of nought are not quite nought in 8 bits."""
STEADY = 1e-5
"""So little of its mean energy is added to every input, so that none counts for nothing."""


@dataclass
class Folded:
    """Matrices and biases in the order in which they are applied."""

    first: tuple
    pairs: list
    """A (narrow, wide, bias of wide) for every layer."""
    last: np.ndarray
    out: tuple
    offsets: tuple = OFFSETS

    def answers(self, above, seen=None):
        """Scores [time / 3, OUTPUTS] for log-mel values [time, bins] above the floor.

        Edges are repeated. `seen`, if given, is told what every pair of matrices sees.
        """
        before = FIRST_REACH + STRIDE * sum(past for past, _ in self.offsets)
        after = FIRST_REACH + STRIDE * sum(future for _, future in self.offsets)
        above = np.pad(above, ((before, after), (0, 0)), mode="edge")
        windows = np.lib.stride_tricks.sliding_window_view(above, 2 * FIRST_REACH + 1, axis=0)
        windows = windows[::STRIDE].transpose(0, 2, 1).reshape(-1, self.first[0].shape[1])
        hidden = np.maximum(windows @ self.first[0].T + self.first[1], 0)
        for number, ((past, future), (narrow, wide, bias)) in enumerate(
            zip(self.offsets, self.pairs)
        ):
            length = len(hidden) - past - future
            middle = hidden[past : past + length]
            inputs = np.concatenate([hidden[:length], middle, hidden[past + future :]], axis=1)
            if seen is not None:
                seen(number, inputs)
            hidden = SKIP * middle + np.maximum(inputs @ narrow.T @ wide.T + bias, 0)
        return hidden @ self.last.T @ self.out[0].T + self.out[1]

    def reduced(self, energies, lost):
        """The same network with fewer values between narrow and wide matrices.

        `energies` are the mean products of what each pair sees (`energies`). `lost` is how much of
        the energy of what leaves a pair may be lost; the first direction, which is hardly more
        than its mean, is not counted in.
        """
        pairs = [
            _reduced(narrow, wide, bias, energy, lost)
            for (narrow, wide, bias), energy in zip(self.pairs, energies)
        ]
        return Folded(self.first, pairs, self.last, self.out, self.offsets)

    def ranks(self):
        """How many values are between the matrices of each pair."""
        return [len(narrow) for narrow, _, _ in self.pairs]


def _reduced(narrow, wide, bias, energy, lost):
    size = len(energy)
    root = np.linalg.cholesky(energy + STEADY * np.trace(energy) / size * np.eye(size))
    left, values, right = np.linalg.svd(wide @ (narrow @ root), full_matrices=False)
    behind = np.cumsum((values**2)[::-1])[::-1]
    ranks = range(RANK_STEP, len(narrow), RANK_STEP)
    rank = next((rank for rank in ranks if behind[rank] <= lost * behind[1]), None)
    if rank is None:
        return narrow, wide, bias
    share = np.sqrt(values[:rank])
    narrow = np.linalg.solve(root.T, (right[:rank] * share[:, None]).T).T
    return narrow, left[:, :rank] * share, bias


def energies(network, utterances):
    """Mean products of what each pair of matrices sees in some log-mel utterances."""
    sums = [0.0] * len(network.pairs)

    def seen(number, inputs):
        inputs = inputs.astype(np.float64)
        sums[number] = sums[number] + inputs.T @ inputs

    frames = 0
    for utterance in utterances:
        frames += len(network.answers(np.maximum(utterance - FLOOR, 0), seen))
    return [one / frames for one in sums]


def fold(net):
    """A trained network.

    A normalised layer is (relu(x) - mean) / deviation. The division goes into the weights before
    the relu; the subtraction is carried along as `offset`, what must be added to a value of the
    folded network to get the trained one's, and ends in the biases behind.
    """

    def numbers(tensor):
        return tensor.detach().double().numpy()

    def norm(layer):
        variance = numbers(layer.running_var)
        scale = np.where(variance > DEAD, 1 / np.sqrt(variance + layer.eps), 0)
        return scale, -numbers(layer.running_mean) * scale

    def scaled(bias, scale):
        return np.where(scale > 0, bias * scale, SHUT)

    # torch stacked the window as time by bin, which is Append's order too.
    reach = 2 * FIRST_REACH + 1
    mean, deviation = numbers(net.mean), numbers(net.deviation)
    weights = numbers(net.first.weight) / np.tile(deviation, reach)
    bias = numbers(net.first.bias) + weights @ np.tile(FLOOR - mean, reach)
    scale, offset = norm(net.first_norm)
    first = (weights * scale[:, None], scaled(bias, scale))
    pairs = []
    for narrow, wide, layer_norm in zip(net.narrow, net.wide, net.norms):
        before, after = numbers(narrow.weight), numbers(wide.weight)
        scale, step = norm(layer_norm)
        bias = numbers(wide.bias) + after @ (before @ np.tile(offset, 3))
        pairs.append((before, after * scale[:, None], scaled(bias, scale)))
        offset = SKIP * offset + step
    last, final = numbers(net.last.weight), numbers(net.out.weight)
    bias = numbers(net.out.bias) + final @ (last @ offset)
    return Folded(first, pairs, last, (final, bias), net.offsets)


def read(file, prefix=""):
    """The network of an `am/final.mdl` that holds one, with weights of 8 bits.

    Where it holds several, the one whose layers begin with `prefix`.
    """
    data = file.read_bytes()
    pairs = []
    while f"<ComponentName> {prefix}narrow{len(pairs)} ".encode() in data:
        narrow, _ = _component(data, f"{prefix}narrow{len(pairs)}")
        pairs.append((narrow, *_component(data, f"{prefix}wide{len(pairs)}")))
    if not pairs:
        raise ValueError(f"{file} holds no single network of this tool")
    first, out = (_component(data, prefix + name) for name in ("first", "out"))
    last, _ = _component(data, f"{prefix}last")
    return Folded(first, pairs, last, out)


def _component(data, name):
    """Weights and bias of an affine component."""
    at = data.index(b"<ComponentName> " + name.encode() + b" ")
    at = data.index(b"<LinearParams> ", at) + len(b"<LinearParams> ")
    if data[at : at + 3] != b"CM3":
        raise ValueError(f"the weights of {name} do not have 8 bits")
    least, spread, rows, columns = struct.unpack_from("<ffii", data, at + 4)
    at += 4 + struct.calcsize("<ffii")
    packed = np.frombuffer(data, "u1", rows * columns, at).astype(np.float64)
    at = data.index(b"<BiasParams> FV ", at + rows * columns) + len(b"<BiasParams> FV ")
    (count,) = struct.unpack_from("<xi", data, at)
    bias = np.frombuffer(data, "<f4", count, at + 5).astype(np.float64)
    return (least + spread / 255 * packed).reshape(rows, columns), bias
