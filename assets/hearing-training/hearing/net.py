"""The network: factorised time-delay layers over log-mel frames, one answer per three frames."""

import torch
from torch import nn
from torch.nn import functional

from . import phones
from .features import BINS, FLOOR

OUTPUTS = 2 * phones.COUNT
"""Two per phone: its first answer frame, and the rest."""

FIRST_REACH = 4
"""The first layer sees this many feature frames to both sides."""
STRIDE = 3
HIDDEN = 640
BOTTLENECK = 160
# Answer frames before and after that a layer adds. The future is kept short: what the network must
# still wait for, the player waits for.
OFFSETS = ((1, 1), (1, 1), (2, 1), (2, 1), (3, 1), (3, 2), (3, 2))
SKIP = 0.66


class Net(nn.Module):
    """Log-mel frames [batch, time, bins] to pdf scores [batch, time / 3, OUTPUTS]."""

    def __init__(self, hidden=HIDDEN, ranks=None, offsets=OFFSETS, bottleneck=BOTTLENECK):
        """`ranks` are the sizes between narrow and wide layers, by default the bottleneck's."""
        super().__init__()
        ranks = ranks or [bottleneck] * len(offsets)
        self.offsets = offsets
        self.register_buffer("mean", torch.zeros(BINS))
        self.register_buffer("deviation", torch.ones(BINS))
        self.first = nn.Linear((2 * FIRST_REACH + 1) * BINS, hidden)
        self.first_norm = nn.BatchNorm1d(hidden, affine=False)
        self.narrow = nn.ModuleList(nn.Linear(3 * hidden, rank, bias=False) for rank in ranks)
        self.wide = nn.ModuleList(nn.Linear(rank, hidden) for rank in ranks)
        self.norms = nn.ModuleList(nn.BatchNorm1d(hidden, affine=False) for _ in offsets)
        self.last = nn.Linear(hidden, bottleneck, bias=False)
        self.out = nn.Linear(bottleneck, OUTPUTS)
        self.before = sum(left for left, _ in offsets)
        self.after = sum(right for _, right in offsets)

    @classmethod
    def of(cls, state):
        """The network that a state belongs to, whatever its sizes."""
        ranks = [len(state[f"narrow.{number}.weight"]) for number in range(len(OFFSETS))]
        net = cls(len(state["first.bias"]), ranks, bottleneck=len(state["last.weight"]))
        net.load_state_dict(state)
        return net

    @staticmethod
    def _normed(norm, hidden):
        shape = hidden.shape
        return norm(hidden.reshape(-1, shape[-1])).reshape(shape)

    def forward(self, frames):
        """`frames` must be a multiple of three long; edges are repeated."""
        frames = (torch.clamp(frames, min=FLOOR) - self.mean) / self.deviation
        left = FIRST_REACH + STRIDE * self.before
        right = FIRST_REACH + STRIDE * self.after
        frames = torch.cat(
            [
                frames[:, :1].expand(-1, left, -1),
                frames,
                frames[:, -1:].expand(-1, right, -1),
            ],
            dim=1,
        )
        windows = frames.unfold(1, 2 * FIRST_REACH + 1, STRIDE).transpose(2, 3).flatten(2)
        hidden = self._normed(self.first_norm, functional.relu(self.first(windows)))
        for (past, future), narrow, wide, norm in zip(
            self.offsets, self.narrow, self.wide, self.norms
        ):
            length = hidden.shape[1] - past - future
            middle = hidden[:, past : past + length]
            seen = torch.cat([hidden[:, :length], middle, hidden[:, past + future :]], dim=2)
            new = functional.relu(wide(narrow(seen)))
            hidden = SKIP * middle + self._normed(norm, new)
        return self.out(self.last(hidden)).float()
