"""The strict grammar: everything that may be announced, and nothing else.

It knows pieces, squares and word order. It knows neither positions nor the rules of chess: every
square may follow every square at the same cost, so what is heard cannot depend on what is legal.
"""

import math
from dataclasses import dataclass, field

from . import language

UNKNOWN = "[unk]"


@dataclass(frozen=True)
class Costs:
    """Costs in nats, tuned on the development voices. A language's `texts.COSTS` are its own."""

    choice: float = 0.5
    """Share of ln(number of alternatives) that choosing a file, rank or piece costs."""
    letter: float = 2.5
    """A breath before a rank easily becomes one."""
    second_rank: float = 1.0
    """For the second word of a rank, as zwo."""
    form: float = 1.0
    """For a form that players are not taught."""
    opening: float = 3.0
    """For each phrase that stands before a move and means nothing."""
    restart: float = 3.0
    """For a word that takes back what was begun; twice for beginning anew without one."""
    on_alone: float = 0.0
    """For "on … takes …" without its piece, which a language may have words that resemble."""
    file_alone: float | None = None
    """For a pawn's capture that names only its file, which is no announcement and will be asked
    about; None leaves it out, and it is taken for a square that resembles it."""
    on_to: float | None = None
    """For "on … to …", as "rook on Anna one to David one"; None leaves it out."""
    unfinished: float = 1.0
    """For a move that breaks off behind "to" or "takes", which is no announcement and is asked
    about. Without it the word would become a square."""
    promotes_to: float | None = None
    """For "to" behind the word for a promotion; None leaves it out."""
    sideless: float = 4.0
    """For castling without its side, which much talk resembles."""
    suffix: float = 1.0
    promotion: float = 2.0
    command: float = 2.0
    answer: float = 2.0
    """For single words, which only answer a question."""
    unknown: float = 3.0
    other: float = 3.0
    """For something else where a word of a command belongs."""
    empty: float = 0.0


@dataclass
class Acceptor:
    """A weighted automaton over words. State 0 is the start."""

    states: int = 1
    arcs: list = field(default_factory=list)
    finals: dict = field(default_factory=dict)

    def state(self):
        """A new state."""
        self.states += 1
        return self.states - 1

    def arc(self, start, end, word=None, cost=0.0):
        """An arc; `word` None means nothing is said."""
        self.arcs.append((start, end, word, cost))

    def any_of(self, start, words, end=None, cost=0.0):
        """One of several words, given as {word: cost}; returns the state behind them."""
        end = self.state() if end is None else end
        for word, extra in words.items():
            self.arc(start, end, word, cost + extra)
        return end

    def sequence(self, start, words, end, cost=0.0):
        """Fixed words after each other."""
        for word in words[:-1]:
            after = self.state()
            self.arc(start, after, word, cost)
            start, cost = after, 0.0
        self.arc(start, end, words[-1], cost)

    def cost_of(self, words):
        """The least cost of a sentence, or None if it is not accepted."""
        current = self._free({0: 0.0})
        for word in words:
            after = {}
            for start, end, label, cost in self.arcs:
                if label == word and start in current:
                    total = current[start] + cost
                    after[end] = min(after.get(end, math.inf), total)
            current = self._free(after)
        ends = [
            cost + self.finals[state] for state, cost in current.items() if state in self.finals
        ]
        return min(ends, default=None)

    def _free(self, current):
        """Follow the arcs without words."""
        changed = True
        while changed:
            changed = False
            for start, end, label, cost in self.arcs:
                if label is None and start in current:
                    total = current[start] + cost
                    if total < current.get(end, math.inf) - 1e-9:
                        current[end] = total
                        changed = True
        return current


class Strict:
    """Builds the acceptor from the lexicon."""

    def __init__(self, lexicon, costs=None):
        self.lexicon, self.costs = lexicon, costs or Costs(**language.texts.COSTS)
        self.suffixes = [*lexicon.with_value("check"), *lexicon.with_value("mate")]
        self.promotes = lexicon.with_value("promotes")
        self.promoted = lexicon.promoted()
        self.to, self.captures = lexicon.with_value("to"), lexicon.with_value("captures")
        self.graph = Acceptor()

    def build(self):
        """The whole grammar."""
        graph, costs = self.graph, self.costs
        end = graph.state()
        graph.finals[end] = 0.0
        graph.finals[0] = costs.empty
        begun = graph.states
        self.moves(0, end, 0.0)
        self.restarts(range(begun, graph.states), end)
        correction = graph.state()
        for phrase in self.lexicon.corrections:
            graph.sequence(0, phrase.split(), correction, costs.command)
        self.moves(correction, end, 0.0)
        opened = graph.state()
        for opening in self.lexicon.openings:
            for start in (0, correction, opened):
                graph.sequence(start, opening.split(), opened, costs.opening)
        self.whole_moves(opened, end)
        for phrase in self.lexicon.phrases:
            graph.sequence(0, phrase.split(), end, costs.command)
            self.nearly(phrase.split(), end)
        for phrase in self.lexicon.talk:
            graph.sequence(0, phrase.split(), end, costs.command)
        self.questions(0, end)
        singles = [*self.lexicon.pieces(), *self.lexicon.with_value("file")]
        singles += [*self.lexicon.with_value("rank"), *self.suffixes]
        graph.any_of(0, self._costs(singles), end, costs.answer)
        graph.any_of(0, self._costs(self.lexicon.castlings()[1]), end, costs.answer)
        promotes = graph.state()
        graph.any_of(0, dict.fromkeys(self.promotes, costs.answer), promotes)
        graph.any_of(promotes, self._costs(self.promoted), end)
        garbage = graph.state()
        graph.arc(0, garbage, UNKNOWN, costs.unknown)
        graph.arc(garbage, garbage, UNKNOWN, costs.unknown)
        graph.finals[garbage] = 0.0
        return graph

    def nearly(self, words, end):
        """A phrase with something else where one of its words belongs, which is talk.

        Without it "ich möchte sehen" would be "ich möchte gehen": nothing else is as near.
        """
        graph, costs = self.graph, self.costs
        if len(words) < 2:
            return
        for place in range(len(words)):
            before, after = words[:place], words[place + 1 :]
            if " ".join(before) in self.lexicon.phrases:
                continue  # a phrase and its breath are that phrase
            begun = graph.state() if before else 0
            if before:
                graph.sequence(0, before, begun, costs.command)
            other = graph.state() if after else end
            inside = graph.state()
            graph.arc(begun, inside, UNKNOWN, costs.other + (0.0 if before else costs.command))
            graph.arc(inside, inside, UNKNOWN, costs.unknown)
            graph.arc(inside, other)
            if after:
                graph.sequence(other, after, end)

    def questions(self, start, end):
        """What stands on a square, file, rank or diagonals, and where pieces of a kind stand."""
        graph, costs = self.graph, self.costs
        about = graph.state()
        for word in self.lexicon.with_value("board"):
            graph.arc(start, about, word, costs.command)
        self.square(about, end)
        diagonals = graph.any_of(about, dict.fromkeys(self.lexicon.with_value("diagonals"), 0.0))
        self.square(diagonals, end)
        for kind in ("file", "rank", "role"):
            graph.any_of(about, self._costs(self.lexicon.with_value(kind)), end)

    def _costs(self, words):
        share = self.costs.choice * math.log(len(words))
        return {word: share + self._rare(word) for word in words}

    def _rare(self, word):
        if word in self.lexicon.second_ranks():
            return self.costs.second_rank
        return self.costs.letter if word in self.lexicon.letters() else 0.0

    def square(self, start, end=None):
        """A file and a rank, all at the same cost but letters and second words of a rank."""
        share = self.costs.choice * math.log(8)
        files = {word: share + self._rare(word) for word in self.lexicon.with_value("file")}
        ranks = {word: share + self._rare(word) for word in self.lexicon.with_value("rank")}
        return self.graph.any_of(self.graph.any_of(start, files), ranks, end)

    def moves(self, start, end, cost):
        """Every announceable move from `start`, with what may follow it, to `end`."""
        graph = self.graph
        after_move, after_pawn = graph.state(), graph.state()
        officer, pawn = self._pieces(start, cost)
        self._destinations(officer, after_move)
        self._destinations(pawn, after_pawn)
        self._destinations(start, after_pawn, cost + self.costs.form, bare=True)
        self._castling(start, after_move, cost)
        self._ending(after_pawn, after_move, end)

    def restarts(self, begun, end):
        """Whole moves behind the beginning of another, mostly with a word that takes it back.

        Without one it is no announcement, and is asked: better than a short form of both.
        """
        graph, cost = self.graph, self.costs.restart
        restarted = graph.state()
        spoken = {start for _, start, word, _ in graph.arcs if word is not None} & set(begun)
        for state in spoken:
            for phrase in self.lexicon.restarts:
                graph.sequence(state, phrase.split(), restarted, cost)
            graph.arc(state, restarted, None, 2 * cost)
        self.whole_moves(restarted, end)

    def whole_moves(self, start, end):
        """Moves of which everything is said, and castling: what goes with other words."""
        graph = self.graph
        after_move, after_pawn = graph.state(), graph.state()
        officer, pawn = self._pieces(start, 0.0)
        for piece, after in ((officer, after_move), (pawn, after_pawn)):
            self._from_to(piece, after)
            self._framed(piece, after)
        self._castling(start, after_move, 0.0)
        self._ending(after_pawn, after_move, end)

    def _pieces(self, start, cost):
        """The states behind an officer and behind a pawn."""
        pawns = self.lexicon.pawns()
        officers = [piece for piece in self.lexicon.pieces() if piece not in pawns]
        share = self.costs.choice * math.log(6)
        officer = self.graph.any_of(start, dict.fromkeys(officers, share), None, cost)
        return officer, self.graph.any_of(start, dict.fromkeys(pawns, share), None, cost)

    def _castling(self, start, end, cost):
        """In the forms that people say; without its side it will be asked.

        With any side before or after any name, talk would resemble what nobody says: "jag
        accepterar" was heard as "jag kort rockerar".
        """
        costs, (names, sides) = self.costs, self.lexicon.castlings()
        for form in language.texts.CASTLINGS:
            words = form.split()
            more = 0.0 if words[0] in sides else costs.form
            if words[0] not in (*names, *sides):
                more += costs.opening
            if not set(words) & set(sides):
                more += costs.sideless
            self.graph.sequence(start, words, end, cost + more)

    def _ending(self, after_pawn, after_move, end):
        """What may follow a move: the piece of a promotion, check or mate."""
        graph = self.graph
        self._promotion(after_pawn, after_move)
        graph.arc(after_pawn, after_move)
        graph.any_of(after_move, dict.fromkeys(self.suffixes, self.costs.suffix), end)
        graph.arc(after_move, end)

    def _destinations(self, start, end, cost=0.0, bare=False):
        """Where a piece goes: from and to, or only to."""
        graph, form = self.graph, self.costs.form
        first = graph.state()
        graph.arc(start, first, None, cost)
        origin = self._from_to(first, end)
        graph.arc(origin, end, None, form)  # only the target was named
        if not bare:
            short = graph.any_of(start, self._links(), None, cost + form)
            self.square(short, end)
        self._framed(start, end, cost, self.costs.on_alone if bare else 0.0)
        if bare and self.costs.file_alone is not None:
            files = self._costs(self.lexicon.with_value("file"))
            named = graph.any_of(start, files, None, cost + self.costs.file_alone)
            self.square(graph.any_of(named, dict.fromkeys(self.captures, 0.0)), end)

    def _from_to(self, start, end):
        """A square, perhaps a link, a square; returns the state behind the first."""
        origin = self.square(start)
        linked = self.graph.any_of(origin, {**self._links(), None: 0.0})
        self.square(linked, end)
        broken_off = self.graph.any_of(origin, self._links())
        self.graph.finals[broken_off] = self.costs.unfinished
        return origin

    def _framed(self, start, end, cost=0.0, on=0.0):
        """From … to … or takes …, and at the further cost `on`: on … takes …"""
        graph, lexicon = self.graph, self.lexicon
        framed = [("from", self._links(), 0.0), ("on", self.captures, on)]
        if self.costs.on_to is not None:
            framed.append(("on", self.to, on + self.costs.on_to))
        for before, between, more in framed:
            words = dict.fromkeys(lexicon.with_value(before), more)
            begun = graph.any_of(start, words, None, cost)
            origin = self.square(begun)
            self.square(graph.any_of(origin, dict.fromkeys(between, 0.0)), end)

    def _links(self):
        return dict.fromkeys([*self.to, *self.captures], 0.0)

    def _promotion(self, start, end):
        graph, cost = self.graph, self.costs.promotion
        said = graph.state()
        graph.arc(start, said, None, cost)
        graph.any_of(start, dict.fromkeys(self.promotes, 0.0), said, cost)
        if self.costs.promotes_to is not None:
            promotes = graph.any_of(start, dict.fromkeys(self.promotes, 0.0), None, cost)
            graph.any_of(promotes, dict.fromkeys(self.to, self.costs.promotes_to), said)
        graph.any_of(said, self._costs(self.promoted), end)
