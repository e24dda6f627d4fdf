"""Stage "export": the trained network and the graphs as a folder that libvosk loads."""

import hashlib
import json
import random
import string
import sys
from pathlib import Path

import numpy as np
import torch

from . import config, graph, kaldi_io, phones, texts
from .data import CHUNKS, chunk_path
from .features import BINS, FLOOR, HIGH_HZ, LOW_HZ
from .folded import fold
from .grammar import Strict
from .lexicon import Lexicon
from .mmi import Chain
from .net import FIRST_REACH, OUTPUTS, SKIP, STRIDE, Net
from .spoken import Graph

LIFTER = 22
WEIGHT_BITS = 8
GARBAGE = config.LANGUAGE_DIR / "garbage.tsv"
"""Of the bundled model: what garbage pays, in nats, for a phone after another."""
GARBAGE_COUNTED = config.WORK / "garbage.tsv"
FIRST = "start"
ANNOUNCEMENTS = 1500
"""So many are drawn to count which phone follows which in them."""
MODEL_FILES = (
    "am/final.mdl",
    "conf/mfcc.conf",
    "conf/model.conf",
    "graph/Gr.fst",
    "graph/HCLr.fst",
    "graph/disambig_tid.int",
    "graph/phones/word_boundary.int",
    "graph/words.txt",
    "sounds.tsv",
)
MFCC_CONF = f"""--use-energy=false
--sample-frequency={config.SAMPLE_RATE}
--num-mel-bins={BINS}
--num-ceps={BINS}
--low-freq={LOW_HZ:.0f}
--high-freq={HIGH_HZ:.0f}
--dither=0
"""
# lattice-beam: 6 makes garbage explode, minutes for an utterance; 3.5 costs a tenth more than 2 and
# shows twice as many rivals of the best result.
# frames-per-chunk: 20, which is libvosk's own, takes a third more computing and is heard no sooner.
# The endpoint rules are set so late that the program's own endpointer always comes first.
MODEL_CONF = f"""--min-active=200
--max-active=3000
--beam=11.0
--lattice-beam=3.5
--acoustic-scale=1.0
--frame-subsampling-factor={STRIDE}
--frames-per-chunk=45
--endpoint.silence-phones={graph.SILENCE_ID}
--endpoint.rule1.min-trailing-silence=20.0
--endpoint.rule2.min-trailing-silence=10.0
--endpoint.rule3.min-trailing-silence=10.0
--endpoint.rule4.min-trailing-silence=10.0
--endpoint.rule5.min-utterance-length=60.0
"""


def undo_dct():
    """The matrix that turns Kaldi's liftered cepstra back into log-mel values."""
    number = np.arange(BINS)
    dct = np.sqrt(2 / BINS) * np.cos(np.pi / BINS * (number[None] + 0.5) * number[:, None])
    dct[0] = np.sqrt(1 / BINS)
    lifter = 1 + 0.5 * LIFTER * np.sin(np.pi * number / LIFTER)
    return dct.T / lifter[None]


def network_bytes(networks, bits=WEIGHT_BITS):
    """One or more folded networks as one, which answers with the mean of their answers."""
    out = kaldi_io.Nnet3(BINS)
    out.affine("mel", "input", undo_dct(), np.full(BINS, -FLOOR))
    above = out.relu("above", "mel", BINS)
    if len(networks) == 1:
        return out.bytes(_add(out, networks[0], above, "", bits))
    ends = [
        _add(out, network, above, f"{letter}_", bits)
        for letter, network in zip(string.ascii_lowercase, networks)
    ]
    share = 1 / len(networks)
    mean = f"Scale({share}, {ends[-1]})"
    for end in reversed(ends[:-1]):
        mean = f"Sum(Scale({share}, {end}), {mean})"
    return out.bytes(out.same("mean", mean, OUTPUTS))


def _add(out, network, above, prefix, bits):
    """Write one network that sees `above`; the name of its last node."""
    weights, bias = network.first
    size = len(bias)
    window = out.append(above, range(-FIRST_REACH, FIRST_REACH + 1))
    out.affine(f"{prefix}first", window, weights, bias, bits)
    node = out.relu(f"{prefix}first_relu", f"{prefix}first", size)
    for number, ((past, future), (narrow, wide, bias)) in enumerate(
        zip(network.offsets, network.pairs)
    ):
        seen = out.append(node, (-STRIDE * past, 0, STRIDE * future))
        name = f"{prefix}narrow{number}"
        out.affine(name, seen, narrow, np.zeros(len(narrow)), bits)
        wider = out.affine(f"{prefix}wide{number}", name, wide, bias, bits)
        new = out.relu(f"{prefix}relu{number}", wider, size)
        node = out.same(f"{prefix}sum{number}", f"Sum(Scale({SKIP}, {node}), {new})", size)
    last = out.affine(f"{prefix}last", node, network.last, np.zeros(len(network.last)), bits)
    return out.affine(f"{prefix}out", last, *network.out, bits)


def count_garbage():
    """Phone bigram of talk and people's words, for the garbage model, into a small table."""
    entries = []
    for kind in ("talk", "people"):
        for number in range(CHUNKS[kind]):
            entries += json.loads(chunk_path(kind, number).read_text())
    chain = Chain.count([entry["graph"] for entry in entries], random.Random(config.SEED))
    silence = phones.INDEX[phones.SILENCE]
    without = [np.delete(row, silence) / (1 - row[silence]) for row in (chain.start, *chain.follow)]
    _write_bigram(GARBAGE_COUNTED, [name for name in phones.PHONES if name != phones.SILENCE], [
        (name, row) for name, row in zip([FIRST, *phones.PHONES], without) if name != phones.SILENCE
    ])


def write_sounds(folder):
    """Phone bigram of announcements: `annexd enrol` compares what was read to it."""
    rng, lexicon = random.Random(config.SEED), Lexicon.read()
    announcements = texts.Announcements(lexicon)
    graphs = []
    for _ in range(ANNOUNCEMENTS):
        words = (lexicon.words[word] for word in announcements.draw(rng))
        said = Graph.of_words([[list(form) for form in word.phones] for word in words])
        graphs.append((said.nodes, said.followers, said.starts, said.ends))
    chain = Chain.count(graphs, rng)
    rows = zip([FIRST, *phones.PHONES], [chain.start, *chain.follow])
    _write_bigram(folder / "sounds.tsv", phones.PHONES, rows)


def _write_bigram(file, names, rows):
    """What it costs in nats that a phone comes after another."""
    lines = ["\t".join(["before", *names])]
    lines += ["\t".join([name, *(f"{-np.log(chance):.5f}" for chance in row)]) for name, row in rows]
    file.write_text("\n".join(lines) + "\n")


def garbage_bigram(file):
    """Chances of the phones at the start and after each phone, out of such a table; no silence."""
    header, *rows = (line.split("\t") for line in file.read_text().splitlines())
    columns = [phones.INDEX[phone] for phone in header[1:]]
    start, follow = np.zeros(phones.COUNT), np.zeros((phones.COUNT, phones.COUNT))
    for name, *costs in rows:
        row = start if name == FIRST else follow[phones.INDEX[name]]
        row[columns] = np.exp(-np.array(costs, float))
    return start, follow


def write_graphs(folder, garbage=GARBAGE, sound_costs=None, costs=None):
    """`graph/` and `sounds.tsv`; needs no network and no training data."""
    lexicon = Lexicon.read()
    sounds = graph.Sounds(lexicon, garbage_bigram(garbage), sound_costs)
    ids = graph.write_sounds(sounds, folder / "graph")
    graph.write_grammar(Strict(lexicon, costs).build(), ids, folder / "graph" / "Gr.fst")
    write_sounds(folder)


def write_network(networks, folder, bits=WEIGHT_BITS):
    """`am/` and `conf/` with one or more folded networks."""
    for name in ("am", "conf"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    model = b"\0B" + kaldi_io.transition_model(graph.phone_outputs())
    model += network_bytes(networks, bits)
    (folder / "am" / "final.mdl").write_bytes(model)
    (folder / "conf" / "mfcc.conf").write_text(MFCC_CONF)
    (folder / "conf" / "model.conf").write_text(MODEL_CONF)


def write_sums(folder):
    """SHA256SUMS, so that the program never hands a damaged file to libvosk."""
    lines = []
    for name in MODEL_FILES:
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        lines.append(f"{digest}  {name}\n")
    (folder / "SHA256SUMS").write_text("".join(lines))


def load_net(file):
    """The trained network."""
    return Net.of(torch.load(file, weights_only=True)).eval()


def run(folder=None, file=None):
    """Write the model folder into the work folder; `make model` copies it over."""
    folder = Path(folder or config.WORK / "model")
    write_network([fold(load_net(file or config.WORK / "net.pt"))], folder)
    count_garbage()
    write_graphs(folder, GARBAGE_COUNTED)
    write_sums(folder)
    size = sum((folder / name).stat().st_size for name in MODEL_FILES)
    print(f"export: {size / 1e6:.2f} MB in {folder}")


if __name__ == "__main__":
    run(*sys.argv[1:])

assert len(phones.PHONES) == phones.COUNT
