"""A start from another language's network: its layers, and its answers for sounds of one name.

Sounds are much the same everywhere, and so are rooms and microphones: what a network has learnt
from many hours and many people in one language is worth more than the first hours in another. With
`ANNEXD_MODEL_FROM=de:b_` the training starts from network `b_` of the installed German model, which
stands in `model-de/am/final.mdl` with its normalisations folded away.
"""

import importlib.util
import os

import numpy as np
import torch

from . import config, folded, phones
from .features import FLOOR
from .language import sounds
from .net import FIRST_REACH, SKIP, Net

FROM = os.environ.get("ANNEXD_MODEL_FROM", "")
"""LANGUAGE or LANGUAGE:PREFIX, the latter where a model has several networks; empty: none."""
UTTERANCES = 200
"""In so many the layers' means are counted, which the folded network no longer has."""


class Sample:
    """Features of some utterances, as `start` wants them."""

    def __init__(self, each):
        self.each = list(each)

    def __len__(self):
        return len(self.each)

    def log_mel(self, number):
        """The features of one."""
        return self.each[number]

    def spread(self):
        """Mean and deviation of all, above the floor."""
        every = np.maximum(np.concatenate(self.each), FLOOR)
        return every.mean(0), every.std(0)


def start(data, name=FROM):
    """A network with answers for our sounds that hears what the one of that name did."""
    language, _, prefix = name.partition(":")
    network = folded.read(config.ASSETS / f"model-{language}" / "am" / "final.mdl", prefix)
    network.out = answers(network.out, _phones_of(language), sounds.LIKE.get(language, {}))
    some = range(0, len(data), max(1, len(data) // UTTERANCES))
    utterances = (np.maximum(data.log_mel(number) - FLOOR, 0) for number in some)
    return unfold(network, layer_means(network, utterances), *data.spread())


def _phones_of(language):
    """The other language's phones, in the order of its network's answers."""
    file = config.ASSETS / f"model-{language}" / "train" / "sounds.py"
    spec = importlib.util.spec_from_file_location(f"{__package__}.from_{language}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [phones.SILENCE, *module.CONSONANTS, *module.VOWELS]


def answers(out, names, like):
    """The other network's last layer with a row for each of our phones.

    A phone that the other language lacks gets the row of what is `like` it there, or the mean.
    """
    weights, bias = (np.concatenate([one, one[:2] * 0 + one.mean(axis=0)]) for one in out)
    places = {name: number for number, name in enumerate(names)}
    rows = [places.get(like.get(name, name), len(names)) for name in phones.PHONES]
    rows = [2 * row + rest for row in rows for rest in (0, 1)]
    return weights[rows], bias[rows]


def layer_means(network, utterances):
    """The mean of every layer's relus."""
    sums, frames = [0.0] * (1 + len(network.pairs)), 0

    def seen(number, inputs):
        nonlocal frames
        if number == 0:
            size = inputs.shape[1] // 3
            sums[0] = sums[0] + inputs[:, size : 2 * size].mean(axis=0)
            frames += 1
        narrow, wide, bias = network.pairs[number]
        new = np.maximum(inputs @ narrow.T @ wide.T + bias, 0)
        sums[number + 1] = sums[number + 1] + new.mean(axis=0)

    for above in utterances:
        network.answers(above, seen)
    return [one / frames for one in sums]


def unfold(network, means, mean, deviation):
    """The opposite of `fold`: a network to be trained further, with normalisations.

    A folded layer's values have a deviation of about one, since `fold` divided them by it; their
    means, which were carried into the biases behind, are taken out of these again.
    """
    net = Net(len(network.first[1]), network.ranks(), network.offsets, len(network.last))
    reach = 2 * FIRST_REACH + 1
    weights, bias = network.first

    def put(target, values):
        target.data.copy_(torch.from_numpy(np.asarray(values, np.float32)))

    def put_norm(norm, value):
        put(norm.running_mean, value)
        norm.running_var.fill_(1 - norm.eps)

    put(net.mean, mean)
    put(net.deviation, deviation)
    put(net.first.weight, weights * np.tile(deviation, reach))
    put(net.first.bias, bias - weights @ np.tile(FLOOR - mean, reach))
    put_norm(net.first_norm, means[0])
    offset = -means[0]
    for number, (narrow, wide, bias) in enumerate(network.pairs):
        put(net.narrow[number].weight, narrow)
        put(net.wide[number].weight, wide)
        put(net.wide[number].bias, bias - wide @ (narrow @ np.tile(offset, 3)))
        put_norm(net.norms[number], means[number + 1])
        offset = SKIP * offset - means[number + 1]
    final, bias = network.out
    put(net.last.weight, network.last)
    put(net.out.weight, final)
    put(net.out.bias, bias - final @ (network.last @ offset))
    return net
