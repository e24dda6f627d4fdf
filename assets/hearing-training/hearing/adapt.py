"""Stage "adapt": the installed networks for one speaker, from what he read of a record kit.

It reads the folder in `ANNEXD_KITS`, which `annexd record-kit` made and one person filled, and
writes a model into the work folder. All weights go a few small steps of MMI: thirty moves are
enough for how he says what is mistaken, and the steps are too few to lose what the network knew.
"""

import random
import shutil

import numpy as np
import torch

from . import config, export, folded, people, texts, transfer
from .espeak import Espeak
from .features import FLOOR, log_mel
from .lexicon import Lexicon
from .mmi import Chain
from .net import STRIDE
from .spoken import Graph
from .train import IGNORE, mmi_loss

STEPS = 12
RATE = 1e-4
BATCH = 10
ANNOUNCEMENTS = 1500
"""So many are drawn to count which phone follows which."""
SPEEDS = (0.92, 1.08)
LOUDER = 0.3
"""Nats by which a recording is made louder or softer."""


def run():
    """Write the model of the one kit's speaker."""
    if len(config.KITS) != 1:
        raise SystemExit("adapt: name the folder of one speaker's recordings in ANNEXD_KITS")
    lexicon, espeak = Lexicon.read(), Espeak()
    recordings = people.kit(config.KITS[0], lexicon, espeak)
    rng = random.Random(config.SEED)
    chain = _chain(lexicon, espeak, rng)
    mels = [log_mel(recording.wave.astype(np.float32)) for recording in recordings]
    graphs = [_graph(recording.words) for recording in recordings]
    networks = [tuned(network, mels, graphs, chain, rng) for network in _installed()]
    folder = config.WORK / "model"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(config.MODEL_DIR, folder, ignore=shutil.ignore_patterns("train", ".*"))
    export.write_network(networks, folder)
    export.write_sums(folder)
    print(f"adapt: {len(recordings)} recordings; the model is in {folder}")


def tuned(network, mels, graphs, chain, rng):
    """A folded network after some steps on one speaker's utterances."""
    means = transfer.layer_means(network, [np.maximum(mel - FLOOR, 0) for mel in mels])
    above = np.maximum(np.concatenate(mels), FLOOR)
    net = transfer.unfold(network, means, above.mean(axis=0), above.std(axis=0)).eval()
    optimiser = torch.optim.Adam(net.parameters(), lr=RATE)
    numbers = np.random.default_rng(rng.getrandbits(64))
    order = list(range(len(mels)))
    for step in range(STEPS):
        rng.shuffle(order)
        optimiser.zero_grad()
        objectives = []
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            said = chain.said([graphs[number] for number in part])
            frames, lengths = _batch([_changed(mels[number], numbers) for number in part])
            scores = net(frames)
            targets = torch.full(scores.shape[:2], IGNORE)
            loss, objective, _ = mmi_loss(chain, scores, lengths, targets, said)
            loss.backward()
            objectives.append(objective)
        optimiser.step()
        print(f"adapt {step + 1}/{STEPS} objective {np.mean(objectives):.4f}", flush=True)
    return folded.fold(net)


def _installed():
    """The networks of the installed model."""
    file = config.MODEL_DIR / "am" / "final.mdl"
    is_joined = b"<ComponentName> a_narrow0 " in file.read_bytes()
    return [folded.read(file, prefix) for prefix in (("a_", "b_") if is_joined else ("",))]


def _graph(words):
    graph = Graph.of_words(words)
    return graph.nodes, graph.followers, graph.starts, graph.ends


def _chain(lexicon, espeak, rng):
    """The phone bigram of announcements, to which MMI compares what was said."""
    announcements = texts.Announcements(lexicon)
    drawn = (" ".join(announcements.draw(rng)) for _ in range(ANNOUNCEMENTS))
    words = (people.pronounce(text, lexicon, espeak) for text in drawn)
    return Chain.count([_graph(said) for said in words if said], rng)


def _changed(mel, numbers):
    """An utterance, somewhat faster or slower, louder or softer."""
    places = np.arange(0, len(mel) - 1, numbers.uniform(*SPEEDS)).round().astype(int)
    return (mel[places] + numbers.normal(0, LOUDER)).astype(np.float32)


def _batch(mels):
    """Frames as long as the longest, and answer frames of each."""
    lengths = [len(mel) // STRIDE for mel in mels]
    frames = np.zeros((len(mels), STRIDE * max(lengths), mels[0].shape[1]), np.float32)
    for row, (mel, length) in enumerate(zip(mels, lengths)):
        frames[row, : STRIDE * length] = mel[: STRIDE * length]
        frames[row, STRIDE * length :] = mel[STRIDE * length - 1]
    return torch.from_numpy(frames), torch.tensor(lengths)
