"""A network taken over from another language answers as that one did."""

import numpy as np
import torch
from test_folded import above, sound, trained

from hearing import config, folded, phones, transfer
from hearing.net import OFFSETS, Net


def test_an_unfolded_network_answers_as_the_folded_one():
    network, frames = folded.fold(trained(11)), sound(12)
    means = transfer.layer_means(network, [above(sound(13))])
    mean, deviation = frames.mean(axis=0), frames.std(axis=0)
    net = transfer.unfold(network, means, mean, deviation).eval()
    with torch.no_grad():
        answers = net(torch.from_numpy(frames.astype(np.float32))[None])[0].numpy()
    expected = network.answers(above(frames))
    assert expected.std() > 0.01
    assert np.allclose(answers, expected, atol=1e-2)


def test_phones_of_one_name_keep_their_answers_and_others_get_the_likest():
    names = [phones.SILENCE, "other", phones.PHONES[1]]
    weights, bias = np.arange(12.0).reshape(6, 2), np.arange(6.0)
    mine, own = transfer.answers((weights, bias), names, {phones.PHONES[2]: "other"})
    assert mine.shape == (2 * phones.COUNT, 2)
    assert own[:6].tolist() == [0, 1, 4, 5, 2, 3]
    assert (own[6:] == bias.mean()).all()


def test_each_network_of_a_joined_model_is_read():
    file = config.ASSETS / "model-de" / "am" / "final.mdl"
    for prefix in ("a_", "b_"):
        assert len(folded.read(file, prefix).pairs) == len(OFFSETS)


def test_a_state_tells_the_sizes_of_its_network():
    net = Net(48, [8, 16, 8, 16, 8, 16, 24], bottleneck=24)
    assert Net.of(net.state_dict()).narrow[6].weight.shape == (24, 144)
