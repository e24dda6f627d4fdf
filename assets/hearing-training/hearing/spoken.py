"""What may be said in an utterance."""

from dataclasses import dataclass

from . import phones


@dataclass
class Graph:
    """What may be said in an utterance: phones as nodes, who may follow whom."""

    nodes: list
    followers: list
    starts: list
    ends: list

    @classmethod
    def of_words(cls, words):
        """Words with variants, optional silence before, between and after."""
        graph = cls([], [], [], [])
        silence = graph._node(phones.SILENCE)
        frontier, graph.starts = [silence], [silence]
        for number, forms in enumerate(words):
            firsts, lasts = [], []
            for form in forms:
                chain = [graph._node(phone) for phone in form]
                for one, two in zip(chain, chain[1:]):
                    graph.followers[one].append(two)
                firsts.append(chain[0])
                lasts.append(chain[-1])
            for node in frontier:
                graph.followers[node] += firsts
            if number == 0:
                graph.starts = graph.starts + firsts
            silence = graph._node(phones.SILENCE)
            for node in lasts:
                graph.followers[node].append(silence)
            frontier = [*lasts, silence]
        graph.ends = frontier
        return graph

    @classmethod
    def of_silence(cls):
        """Nothing is said."""
        return cls([0, 0], [[1], []], [0], [0, 1])

    def _node(self, phone):
        self.nodes.append(phones.INDEX[phone])
        self.followers.append([])
        return len(self.nodes) - 1
