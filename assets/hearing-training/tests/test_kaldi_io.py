"""The binary writers, byte by byte where it is short, and by reading back where it is not."""

import struct

import numpy as np

from hearing import kaldi_io


def test_scalars():
    assert kaldi_io.token("FM") == b"FM "
    assert kaldi_io.integer(-2) == b"\x04\xfe\xff\xff\xff"
    assert kaldi_io.single(0.5) == b"\x04" + struct.pack("<f", 0.5)
    assert kaldi_io.double(0.0) == b"\x08" + bytes(8)
    assert kaldi_io.integers([1, 2]) == b"\x04" + struct.pack("<iii", 2, 1, 2)
    assert kaldi_io.vector([1.0]) == b"FV " + b"\x04" + struct.pack("<if", 1, 1.0)


def test_plain_matrix():
    data = kaldi_io.matrix(np.array([[1.0, 2.0, 3.0]]))
    assert data == b"FM \x04\x01\0\0\0\x04\x03\0\0\0" + struct.pack("<3f", 1, 2, 3)


def test_packed_matrices_read_back():
    values = np.linspace(-1.5, 2.5, 12).reshape(3, 4)
    for bits, name, kind in ((16, b"CM2 ", "<u2"), (8, b"CM3 ", "u1")):
        data = kaldi_io.matrix(values, bits)
        assert data[:4] == name
        least, spread, rows, columns = struct.unpack("<ffii", data[4:20])
        steps = np.frombuffer(data[20:], kind).reshape(rows, columns)
        read = least + steps * spread / (2**bits - 1)
        assert np.abs(read - values).max() <= spread / (2**bits - 1)


def test_transition_model_has_all_parts():
    data = kaldi_io.transition_model([(0, 1), (2, 3)])
    for part in (b"<TransitionModel> <Topology> ", b"<Tuples> ", b"<LogProbs> FV "):
        assert part in data
    tuples = data[data.index(b"<Tuples> ") + 9 :]
    assert tuples[:5] == kaldi_io.integer(2)
    assert tuples[5:25] == b"".join(map(kaldi_io.integer, (1, 0, 0, 1)))


def test_network_text():
    net = kaldi_io.Nnet3(2)
    net.affine("a", net.append("input", (-3, 0, 3)), np.ones((1, 6)), np.zeros(1))
    data = net.bytes(net.relu("r", "a", 1))
    text = data.decode("latin-1")
    assert text.startswith("<Nnet3> \ninput-node name=input dim=2\n")
    assert "input=Append(Offset(input, -3), input, Offset(input, 3))" in text
    assert "output-node name=output input=r objective=linear\n\n<NumComponents> " in text
