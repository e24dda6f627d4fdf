import torch

from hearing import kaldi_io
from hearing.export import network_bytes
from hearing.features import BINS
from hearing.net import Net
from hearing.start import read_network


def test_a_written_network_is_read_back(tmp_path):
    torch.manual_seed(1)
    net = Net()
    for norm in (net.first_norm, *net.norms):
        norm.running_mean.uniform_(0, 1)
        norm.running_var.uniform_(0.5, 2)
    net.eval()
    file = tmp_path / "final.mdl"
    file.write_bytes(kaldi_io.transition_model([(0, 1)]) + network_bytes(net))
    frames = 6 + 4 * torch.rand(1, 90, BINS)
    with torch.no_grad():
        wanted, got = net(frames), read_network(file).eval()(frames)
    assert (wanted - got).abs().max() < 0.05 * wanted.abs().max()
