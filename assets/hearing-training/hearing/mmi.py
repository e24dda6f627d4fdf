"""Lattice-free MMI: what was said against everything that could have been said.

Both sides are hidden Markov models whose forward and backward passes run in the probability
domain, scaled frame by frame. Every phone has two states, its first frame and the rest; their
outputs are 2 * phone and 2 * phone + 1.
"""

import numpy as np
import torch

from . import config, phones

STAY = 0.6
STAY_SILENT = 0.9
SMOOTHING = 0.05
"""Added to every count of one phone after another, so that nothing is impossible."""
TINY = 1e-30
LOST = 1e-25


def _inside(time, lengths):
    """One where an utterance still sounds, by frame and utterance."""
    return (torch.arange(time, device=lengths.device)[:, None] < lengths[None]).float()


class Chain:
    """The phone bigram, and the occupation counts under it."""

    def __init__(self, start, follow):
        self.start, self.follow = start, follow
        self.stay = np.full(phones.COUNT, STAY)
        self.stay[phones.INDEX[phones.SILENCE]] = STAY_SILENT
        count = phones.COUNT
        moves = np.zeros((2 * count, 2 * count))
        for phone in range(count):
            for state in (phone, count + phone):
                moves[state, :count] = (1 - self.stay[phone]) * follow[phone]
                moves[state, count + phone] = self.stay[phone]
        self.moves = torch.tensor(moves, dtype=torch.float32, device=config.DEVICE)
        self.moves_back = self.moves.t().contiguous()
        first = torch.zeros(2 * count)
        first[:count] = torch.tensor(start, dtype=torch.float32)
        self.first = first.to(config.DEVICE)
        order = np.concatenate([2 * np.arange(count), 2 * np.arange(count) + 1])
        self.order = torch.tensor(order, device=config.DEVICE)
        self.stay_tensor = torch.tensor(self.stay, dtype=torch.float32, device=config.DEVICE)

    @classmethod
    def count(cls, graphs, rng):
        """Estimate the bigram from one random path through every graph."""
        follow = np.full((phones.COUNT, phones.COUNT), SMOOTHING)
        start = np.full(phones.COUNT, SMOOTHING)
        for nodes, followers, starts, ends in graphs:
            node = rng.choice(starts)
            start[nodes[node]] += 1
            while followers[node]:
                if node in ends and rng.random() < 0.5:
                    break
                after = rng.choice(followers[node])
                follow[nodes[node], nodes[after]] += 1
                node = after
        return cls(start / start.sum(), follow / follow.sum(axis=1, keepdims=True))

    def denominator(self, scores, lengths):
        """Occupation of every output, and the log likelihood, over all phone sequences."""
        batch, time, _ = scores.shape
        states = 2 * phones.COUNT
        top = scores.max(2, keepdim=True)[0]
        likely = torch.exp(scores - top)[:, :, self.order].transpose(0, 1).contiguous()
        forward = scores.new_empty(time, batch, states)
        scale = scores.new_empty(time, batch)
        alpha = self.first * likely[0]
        for t in range(time):
            if t:
                alpha = (alpha @ self.moves) * likely[t]
            total = alpha.sum(1, keepdim=True) + TINY
            alpha = alpha / total
            forward[t], scale[t] = alpha, total[:, 0]
        occupied = scores.new_empty(time, batch, states)
        beta = scores.new_ones(batch, states)
        last = lengths - 1
        for t in range(time - 1, -1, -1):
            beta = torch.where((last == t)[:, None], torch.ones_like(beta), beta)
            occupied[t] = forward[t] * beta
            beta = (beta * likely[t]) @ self.moves_back
            beta = beta / (beta.sum(1, keepdim=True) + TINY)
        occupied /= occupied.sum(2, keepdim=True) + TINY
        inside = _inside(time, lengths)
        likelihood = ((torch.log(scale) + top[:, :, 0].t()) * inside).sum(0)
        result = scores.new_empty(time, batch, states)
        result[:, :, self.order] = occupied
        return (result * inside[:, :, None]).transpose(0, 1), likelihood

    def said(self, graphs):
        """What `numerator` needs of what was said: phones, moves between them, starts and ends."""
        batch, size = len(graphs), max(len(graph[0]) for graph in graphs)
        nodes = np.zeros((batch, size), np.int64)
        moves = np.zeros((batch, size, size), np.float32)
        starts = np.zeros((batch, size), np.float32)
        ends = np.zeros((batch, size), np.float32)
        for number, (phone_of, followers, first, last) in enumerate(graphs):
            nodes[number, : len(phone_of)] = phone_of
            for node, after in enumerate(followers):
                leave = 1 - self.stay[phone_of[node]]
                for target in after:
                    chance = self.follow[phone_of[node], phone_of[target]]
                    moves[number, node, target] = leave * chance
            for node in first:
                starts[number, node] = self.start[phone_of[node]]
            ends[number, last] = 1
        return tuple(map(torch.from_numpy, (nodes, moves, starts, ends)))

    def numerator(self, scores, lengths, said):
        """The same over what was `said`; also which utterances could be aligned at all."""
        batch, time, outputs = scores.shape
        nodes, moves, starts, ends = said
        size = nodes.shape[1]
        top = scores.max(2, keepdim=True)[0]
        likely = torch.exp(scores - top)
        where = (2 * nodes)[:, None].expand(batch, time, size)
        entering = torch.gather(likely, 2, where).transpose(0, 1).contiguous()
        staying = torch.gather(likely, 2, where + 1).transpose(0, 1).contiguous()
        stay = self.stay_tensor[nodes]
        first, rest = starts * entering[0], scores.new_zeros(batch, size)
        all_first = scores.new_empty(time, batch, size)
        all_rest = scores.new_empty(time, batch, size)
        scale = scores.new_empty(time, batch)
        for t in range(time):
            if t:
                both = first + rest
                first = torch.bmm(both[:, None], moves)[:, 0] * entering[t]
                rest = both * stay * staying[t]
            total = (first + rest).sum(1) + TINY
            first, rest = first / total[:, None], rest / total[:, None]
            all_first[t], all_rest[t], scale[t] = first, rest, total
        occupied = scores.new_zeros(time, batch, outputs)
        beta = scores.new_ones(batch, size)
        good = scores.new_ones(batch)
        last = lengths - 1
        back = moves.transpose(1, 2).contiguous()
        for t in range(time - 1, -1, -1):
            beta = torch.where((last == t)[:, None], ends, beta)
            in_first, in_rest = all_first[t] * beta, all_rest[t] * beta
            total = (in_first + in_rest).sum(1)
            good = torch.where((last >= t) & (total < LOST), torch.zeros_like(good), good)
            total = total[:, None] + TINY
            occupied[t].scatter_add_(1, 2 * nodes, in_first / total)
            occupied[t].scatter_add_(1, 2 * nodes + 1, in_rest / total)
            beta = torch.bmm((beta * entering[t])[:, None], back)[:, 0] + beta * stay * staying[t]
            beta = beta / (beta.max(1, keepdim=True)[0] + TINY)
        inside = _inside(time, lengths)
        row = torch.arange(batch, device=scores.device)
        ended = ((all_first[last, row] + all_rest[last, row]) * ends).sum(1)
        likelihood = ((torch.log(scale) + top[:, :, 0].t()) * inside).sum(0)
        likelihood = likelihood + torch.log(ended + TINY)
        return (occupied * inside[:, :, None]).transpose(0, 1), likelihood, good
