"""Writers for the binary files that libvosk reads (Kaldi's nnet3 and transition model)."""

import struct

import numpy as np


def token(text):
    """A word of the format."""
    return text.encode() + b" "


def integer(value):
    """A 32-bit integer with its size before it."""
    return b"\x04" + struct.pack("<i", value)


def single(value):
    """A float with its size before it."""
    return b"\x04" + struct.pack("<f", value)


def double(value):
    """A double with its size before it."""
    return b"\x08" + struct.pack("<d", value)


def integers(values):
    """A vector of 32-bit integers."""
    data = np.asarray(values, "<i4").tobytes()
    return b"\x04" + struct.pack("<i", len(values)) + data


def vector(values):
    """A vector of floats."""
    values = np.asarray(values, "<f4")
    return token("FV") + integer(len(values)) + values.tobytes()


def matrix(values, bits=32):
    """A matrix of floats; with 16 or 8 bits as steps between its least and greatest value."""
    values = np.ascontiguousarray(values, "<f4")
    rows, columns = values.shape
    if bits == 32:
        return token("FM") + integer(rows) + integer(columns) + values.tobytes()
    name, kind = {16: ("CM2", "<u2"), 8: ("CM3", "u1")}[bits]
    least = float(values.min())
    spread = float(values.max()) - least or 1e-5
    steps = 2**bits - 1
    packed = np.clip(np.round((values - least) / spread * steps), 0, steps).astype(kind)
    return token(name) + struct.pack("<ffii", least, spread, rows, columns) + packed.tobytes()


def transition_model(outputs):
    """The chain topology for phones 1 to N; `outputs` has (first, rest) for each.

    State 0 has the forward output, and the self-loop has one of its own; state 1 is final. The
    transition ids of phone p are then 2p-1 for the self-loop and 2p for going on.
    """
    phones = list(range(1, len(outputs) + 1))
    half = single(0.5)
    data = token("<TransitionModel>") + token("<Topology>") + integers(phones)
    data += integers([-1] + [0] * len(phones)) + integer(-1) + integer(1) + integer(2)
    data += integer(0) + integer(1) + integer(2) + integer(0) + half + integer(1) + half
    data += integer(-1) + integer(-1) + integer(0) + token("</Topology>")
    data += token("<Tuples>") + integer(len(phones))
    for phone, (first, rest) in zip(phones, outputs):
        data += integer(phone) + integer(0) + integer(first) + integer(rest)
    data += token("</Tuples>") + token("<LogProbs>")
    data += vector([0.0] + [float(np.log(0.5))] * (2 * len(phones)))
    return data + token("</LogProbs>") + token("</TransitionModel>")


class Nnet3:
    """Collects the nodes and components of a network."""

    def __init__(self, inputs):
        self.lines = [f"input-node name=input dim={inputs}"]
        self.components = []

    def _add(self, name, inputs, body):
        self.lines.append(f"component-node name={name} component={name} input={inputs}")
        self.components.append((name, body))
        return name

    def affine(self, name, inputs, weights, bias, bits=32):
        """weights * input + bias."""
        body = token("<FixedAffineComponent>") + token("<LinearParams>") + matrix(weights, bits)
        body += token("<BiasParams>") + vector(bias) + token("</FixedAffineComponent>")
        return self._add(name, inputs, body)

    def relu(self, name, inputs, size):
        """Negative values become zero."""
        empty, zero = vector([]), double(0.0)
        body = token("<RectifiedLinearComponent>") + token("<Dim>") + integer(size)
        body += token("<ValueAvg>") + empty + token("<DerivAvg>") + empty + token("<Count>") + zero
        body += token("<OderivRms>") + empty + token("<OderivCount>") + zero
        body += token("<NumDimsSelfRepaired>") + zero + token("<NumDimsProcessed>") + zero
        return self._add(name, inputs, body + token("</RectifiedLinearComponent>"))

    def same(self, name, inputs, size):
        """A node that names an expression."""
        body = token("<NoOpComponent>") + token("<Dim>") + integer(size)
        body += token("<BackpropScale>") + single(1.0) + token("</NoOpComponent>")
        return self._add(name, inputs, body)

    @staticmethod
    def append(name, offsets):
        """The expression that joins a node's frames at several offsets."""
        parts = [f"Offset({name}, {offset})" if offset else name for offset in offsets]
        return f"Append({', '.join(parts)})"

    def bytes(self, output):
        """The whole network; libvosk computes the contexts anew on loading."""
        lines = [*self.lines, f"output-node name=output input={output} objective=linear"]
        data = token("<Nnet3>") + b"\n" + ("\n".join(lines) + "\n\n").encode()
        data += token("<NumComponents>") + integer(len(self.components))
        for name, body in self.components:
            data += token("<ComponentName>") + token(name) + body
        data += token("</Nnet3>") + token("<LeftContext>") + integer(0)
        return data + token("<RightContext>") + integer(0) + token("<Priors>") + vector([])
