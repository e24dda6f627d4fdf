"""A folded network answers as the trained one, and is written, read and cut down without harm."""

import numpy as np
import pytest
import torch

from hearing import export, folded
from hearing.features import BINS, FLOOR
from hearing.net import STRIDE, Net


def trained(seed):
    """A small network whose normalisations have measured something."""
    torch.manual_seed(seed)
    net = Net(48, bottleneck=24)
    net.mean[:], net.deviation[:] = torch.randn(BINS), torch.rand(BINS) + 0.5
    with torch.no_grad():
        net(FLOOR + 3 * torch.rand(4, 30 * STRIDE, BINS))
    return net.eval()


def sound(seed):
    """Log-mel frames, some of them below the floor."""
    return FLOOR + np.random.default_rng(seed).normal(2, 3, (20 * STRIDE, BINS))


def above(frames):
    return np.maximum(frames - FLOOR, 0)


def test_answers_are_those_of_the_trained_network():
    net, frames = trained(1), sound(2)
    with torch.no_grad():
        expected = net(torch.from_numpy(frames.astype(np.float32))[None])[0].numpy()
    answers = folded.fold(net).answers(above(frames))
    assert expected.std() > 0.01
    assert np.allclose(answers, expected, atol=1e-3)


def test_a_written_network_is_read_back_with_the_error_of_8_bits(tmp_path):
    network = folded.fold(trained(3))
    (tmp_path / "one.mdl").write_bytes(export.network_bytes([network]))
    again = folded.read(tmp_path / "one.mdl")
    frames = above(sound(4))
    before, after = network.answers(frames), again.answers(frames)
    assert 0 < np.abs(after - before).max() < 0.1 * before.std()


def test_what_never_varies_is_cut_off_and_little_else():
    network = folded.fold(trained(5))
    narrow, wide, bias = network.pairs[2]
    narrow[8:] = 0.5 * np.tile(narrow[:8], (2, 1))
    network.pairs[2] = (narrow, wide, bias)
    frames = sound(6)
    reduced = network.reduced(folded.energies(network, [frames]), 1e-6)
    assert reduced.ranks()[2] <= 8 < network.ranks()[2]
    before, after = network.answers(above(frames)), reduced.answers(above(frames))
    assert np.abs(after - before).max() < 0.05 * before.std()


def test_networks_that_are_joined_have_names_of_their_own_and_one_mean():
    networks = [folded.fold(trained(seed)) for seed in (7, 8)]
    text = export.network_bytes(networks).decode("latin-1")
    lines = text[: text.index("\n\n")].splitlines()
    names = [line.split("name=")[1].split()[0] for line in lines if "name=" in line]
    assert len(names) == len(set(names))
    assert "input=Sum(Scale(0.5, a_out), Scale(0.5, b_out))" in text
    assert "output-node name=output input=mean objective=linear" in text


def test_a_joined_network_is_not_taken_for_a_single_one(tmp_path):
    networks = [folded.fold(trained(seed)) for seed in (7, 8)]
    (tmp_path / "joined.mdl").write_bytes(export.network_bytes(networks))
    with pytest.raises(ValueError, match="no single network"):
        folded.read(tmp_path / "joined.mdl")


def test_a_value_that_never_varies_leaves_the_others_their_8_bits(tmp_path):
    net = trained(8)
    with torch.no_grad():
        for layer, norm in ((net.first, net.first_norm), (net.wide[1], net.norms[1])):
            layer.weight[3] = 1e-3 * torch.randn(layer.weight.shape[1])
            layer.bias[3] = -1.0
            norm.running_mean[3], norm.running_var[3] = 0, 1e-12
    frames = sound(9)
    with torch.no_grad():
        expected = net(torch.from_numpy(frames.astype(np.float32))[None])[0].numpy()
    network = folded.fold(net)
    assert np.allclose(network.answers(above(frames)), expected, atol=1e-3)
    (tmp_path / "one.mdl").write_bytes(export.network_bytes([network]))
    again = folded.read(tmp_path / "one.mdl").answers(above(frames))
    assert np.abs(again - expected).max() < 0.1 * expected.std()
