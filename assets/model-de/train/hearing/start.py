"""Reads the network of a finished model folder back, to go on training where it ended."""

import struct

import numpy as np
import torch

from .features import FLOOR
from .net import Net


class _Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def component(self, name):
        """Weights and bias of an affine component."""
        self.at = self.data.index(b"<ComponentName> " + name.encode() + b" ")
        self.at = self.data.index(b"<LinearParams> ", self.at) + len(b"<LinearParams> ")
        weights = self._matrix()
        self.at = self.data.index(b"<BiasParams> ", self.at) + len(b"<BiasParams> FV ")
        (count,) = self._unpack("<xi")
        bias = np.frombuffer(self.data, "<f4", count, self.at)
        return torch.tensor(weights), torch.tensor(bias)

    def _unpack(self, form):
        values = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return values

    def _matrix(self):
        kind = self.data[self.at : self.at + 3]
        if kind != b"CM3":
            raise ValueError("the network's weights do not have 8 bits")
        self.at += 4
        least, spread, rows, columns = self._unpack("<ffii")
        packed = np.frombuffer(self.data, "u1", rows * columns, self.at)
        return (least + spread / 255 * packed.astype(np.float32)).reshape(rows, columns)


def read_network(file):
    """The network of `am/final.mdl`, its normalisations folded away: mean 0, deviation 1.

    They must stay as they are (`Net.eval`), since what they would measure now is another thing.
    """
    net = Net()
    reader = _Reader(file.read_bytes())
    with torch.no_grad():
        for norm in (net.first_norm, *net.norms):
            norm.running_mean.zero_()
            norm.running_var.fill_(1 - norm.eps)
        for name, layer in _layers(net):
            weights, bias = reader.component(name)
            layer.weight.copy_(weights)
            if layer.bias is not None:
                layer.bias.copy_(bias)
        # The written network sees values above the floor; this one the values themselves.
        net.first.bias -= FLOOR * net.first.weight.sum(dim=1)
    return net


def _layers(net):
    yield "first", net.first
    for number, (narrow, wide) in enumerate(zip(net.narrow, net.wide)):
        yield f"narrow{number}", narrow
        yield f"wide{number}", wide
    yield "last", net.last
    yield "out", net.out


