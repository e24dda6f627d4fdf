"""Where in a recording each phone is, found by a finished network."""

import numpy as np
import torch

from . import config, features, phones
from .mmi import STAY, STAY_SILENT
from .net import STRIDE

STEP_S = STRIDE * config.FRAME_SHIFT_S
"""Times are multiples of this: the network answers no more often."""
WORST = -1e9


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
