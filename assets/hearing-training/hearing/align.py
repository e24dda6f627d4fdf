"""Where in a recording each phone is, found by a finished network.

Stage "align" does it for everything that may be trained on and keeps the times in the project, so
that a training from nothing has them: no other stage needs the network that found them. It is the
one of the work folder, or that of an installed model which `ANNEXD_MODEL_FROM` names.
"""

import numpy as np
import torch

from . import config, features, people, phones, transfer
from .espeak import Espeak
from .lexicon import Lexicon
from .mmi import STAY, STAY_SILENT
from .net import STRIDE, Net
from .spoken import Graph

STEP_S = STRIDE * config.FRAME_SHIFT_S
"""Times are multiples of this: the network answers no more often."""
WORST = -1e9
LEAST_SCORE = -3.6
"""A recording that fits its phones worse, in log likelihood a frame, is left out."""
FOUND = config.LANGUAGE_DIR / "people-phones.tsv"
"""A line for every recording: its file, then phones and their lengths in steps, in turns."""


def align(net, wave, graph):
    """The likeliest phones of `graph` as [(start in s, end in s, phone)], and their score a frame.

    None if the recording is too short for what is said in it.
    """
    frames = features.log_mel(wave)
    frames = frames[: len(frames) // STRIDE * STRIDE]
    if not len(frames):
        return None
    with torch.no_grad():
        scores = net(torch.from_numpy(frames)[None])[0].log_softmax(1).numpy()
    path, score = _best_path(scores, graph)
    if path is None:
        return None
    spans = []
    for time, (node, is_first) in enumerate(path):
        if is_first:
            spans.append([time * STEP_S, (time + 1) * STEP_S, phones.PHONES[graph.nodes[node]]])
        else:
            spans[-1][1] = (time + 1) * STEP_S
    return [tuple(span) for span in spans], score / len(path)


def _best_path(scores, graph):
    """Viterbi's path as (node, whether it is its first frame) for every frame."""
    nodes = np.array(graph.nodes)
    count = len(nodes)
    stay = np.where(nodes == phones.INDEX[phones.SILENCE], STAY_SILENT, STAY)
    before = [[] for _ in nodes]
    for node, followers in enumerate(graph.followers):
        for follower in followers:
            before[follower].append(node)
    best = np.full(2 * count, WORST)  # first frames, then the rest
    best[graph.starts] = scores[0, 2 * nodes[graph.starts]]
    backs = []
    for answer in scores[1:]:
        new, back = np.full(2 * count, WORST), np.zeros(2 * count, int)
        for node in range(count):
            came = [place for one in before[node] for place in (one, one + count)]
            if came:
                values = [best[place] + np.log(1 - stay[place % count]) for place in came]
                top = int(np.argmax(values))
                new[node], back[node] = values[top] + answer[2 * nodes[node]], came[top]
            own = node if best[node] >= best[node + count] else node + count
            new[node + count] = best[own] + np.log(stay[node]) + answer[2 * nodes[node] + 1]
            back[node + count] = own
        best = new
        backs.append(back)
    ends = [place for node in graph.ends for place in (node, node + count)]
    state = max(ends, key=lambda place: best[place])
    if best[state] <= WORST / 2:
        return None, WORST
    score = best[state]
    path = [state]
    for back in reversed(backs):
        state = back[state]
        path.append(state)
    return [(int(place % count), place < count) for place in reversed(path)], float(score)


def read(file=FOUND):
    """The phones of every recording that has them, as `align` gives them."""
    result = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        name, said = line.split("\t")
        parts, spans, at = said.split(), [], 0
        for phone, steps in zip(parts[::2], parts[1::2]):
            spans.append((at * STEP_S, (at + int(steps)) * STEP_S, phone))
            at += int(steps)
        result[name] = spans
    return result


def line(name, spans):
    """What `read` reads."""
    steps = [f"{phone} {round((end - start) / STEP_S)}" for start, end, phone in spans]
    return f"{name}\t{' '.join(steps)}\n"


def _network(recordings):
    if transfer.FROM:
        waves = (recording.wave.astype(np.float32) for recording in recordings)
        return transfer.start(transfer.Sample(map(features.log_mel, waves)))
    return Net.of(torch.load(config.WORK / "net.pt", weights_only=True))


def run():
    """Find the phones and keep them."""
    recordings = people.training_recordings(Lexicon.read(), Espeak(config.WORK / "voices"))
    net = _network(recordings).eval()
    lines = []
    for recording in recordings:
        found = align(net, recording.wave.astype(np.float32), Graph.of_words(recording.words))
        if found is not None and found[1] >= LEAST_SCORE:
            lines.append(line(recording.file, found[0]))
    FOUND.write_text("".join(lines), encoding="utf-8")
    print(f"align: {len(lines)} of {len(recordings)} recordings")
