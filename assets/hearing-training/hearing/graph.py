"""Writes `graph/`: HCLr.fst (sounds to words), Gr.fst (the strict grammar) and their tables."""

import math
import os
import subprocess
from dataclasses import dataclass

from . import phones
from .grammar import UNKNOWN
from .mmi import STAY, STAY_SILENT

PLUGINS = "/usr/lib/x86_64-linux-gnu/fst/22"
"""Folder of olabel_lookahead-fst.so (Debian's libfst22-plugins-base)."""
POSITIONS = {"B": "begin", "E": "end", "I": "internal", "S": "singleton"}
SILENCE_ID = 1


@dataclass(frozen=True)
class SoundCosts:
    """Costs of the sound side, tuned on the development voices."""

    silence_between: float = 0.3
    """Chance of a pause between two words."""
    silence_first: float = 0.5
    garbage_bigram: float = 1.0
    """Share of the phone bigram that garbage pays."""
    garbage_phone: float = 0.0
    """Paid for every phone of garbage on top."""
    rare: float = 4.0
    """Paid for a pronunciation that only some speakers have."""


def phone_names():
    """Names of the model's phones: silence, then four position variants of each; index = id."""
    names = ["<eps>", phones.SILENCE]
    for phone in phones.PHONES[1:]:
        names += [f"{phone}_{position}" for position in "BEIS"]
    return names


def phone_outputs():
    """The two network outputs of every phone id: position variants share them."""
    bases = [0] + [number for number in range(1, phones.COUNT) for _ in range(4)]
    return [(2 * base, 2 * base + 1) for base in bases]


IDS = {name: number for number, name in enumerate(phone_names())}
DISAMBIGUATION = 2 * (len(IDS) - 1) + 1
"""The input id by which garbage is entered; one above the greatest transition id."""


def stays(phone_id):
    """Transition id of a phone's self-loop."""
    return 2 * phone_id - 1


def begins(phone_id):
    """Transition id of a phone's first frame."""
    return 2 * phone_id


def placed(phone_list):
    """Phones of a word with their positions."""
    if len(phone_list) == 1:
        return [f"{phone_list[0]}_S"]
    inner = [f"{phone}_I" for phone in phone_list[1:-1]]
    return [f"{phone_list[0]}_B", *inner, f"{phone_list[-1]}_E"]


class Sounds:
    """The transducer from transition ids to words, as arcs (from, to, in, out, cost)."""

    def __init__(self, lexicon, bigram, costs=None):
        self.costs = costs or SoundCosts()
        self.arcs, self.states = [], 0
        self.words = ["<eps>", *sorted(lexicon.words), UNKNOWN]
        self.word_ids = {word: number for number, word in enumerate(self.words)}
        start, self.loop = self._state(), self._state()
        self._arc(start, self.loop, 0, 0, -math.log(1 - self.costs.silence_first))
        self._silence(start, self.loop, -math.log(self.costs.silence_first))
        self.word_end = self._state()
        self._arc(self.word_end, self.loop, 0, 0, -math.log(1 - self.costs.silence_between))
        self._silence(self.word_end, self.loop, -math.log(self.costs.silence_between))
        for word in lexicon.words.values():
            for form in word.phones:
                self._word(self.word_ids[word.word], form)
            for form in word.rare:
                self._word(self.word_ids[word.word], form, self.costs.rare)
        self._garbage(*bigram)
        self.finals = [self.loop]

    def _state(self):
        self.states += 1
        return self.states - 1

    def _arc(self, start, end, taken, given, cost):
        self.arcs.append((start, end, taken, given, cost))

    def _phone(self, start, name, given=0, cost=0.0, stay=STAY, end=None):
        """One phone from `start`; returns the state in which it sounds, left at -ln(1 - stay)."""
        number = IDS[name]
        sounding = self._state() if end is None else end
        self._arc(start, sounding, begins(number), given, cost)
        if end is None:
            self._arc(sounding, sounding, stays(number), 0, -math.log(stay))
        return sounding

    def _silence(self, start, end, cost):
        sounding = self._phone(start, phones.SILENCE, cost=cost, stay=STAY_SILENT)
        self._arc(sounding, end, 0, 0, -math.log(1 - STAY_SILENT))

    def _word(self, word_id, form, cost=0.0):
        current = self.loop
        for number, name in enumerate(placed(form)):
            current = self._phone(current, name, word_id if number == 0 else 0, cost)
            cost = -math.log(1 - STAY)
        self._arc(current, self.word_end, 0, 0, cost)

    def _garbage(self, start, follow):
        """Any phones at the cost of the bigram: what talk is compared with.

        One state a phone, wherever in the garbage it stands: a begin, a middle and an end of each
        took three times the states and four times the arcs, the most of all computing. libvosk
        then cannot tell when garbage began and ended, which nobody asks.
        """
        leave = -math.log(1 - STAY)
        silence = phones.INDEX[phones.SILENCE]

        def price(chance):
            bigram = -math.log(chance / (1 - silence_share))
            return self.costs.garbage_bigram * bigram + self.costs.garbage_phone

        entered = self._state()
        self._arc(self.loop, entered, DISAMBIGUATION, self.word_ids[UNKNOWN], 0.0)
        real = phones.PHONES[1:]
        sounding = {}
        for phone in real:
            sounding[phone] = state = self._state()
            self._arc(state, state, stays(IDS[f"{phone}_I"]), 0, -math.log(STAY))
            self._arc(state, self.word_end, 0, 0, leave)
        silence_share = start[silence]
        for phone in real:
            cost = price(start[phones.INDEX[phone]])
            self._phone(entered, f"{phone}_I", cost=cost, end=sounding[phone])
        for before in real:
            row = follow[phones.INDEX[before]]
            silence_share = row[silence]
            for after in real:
                cost = leave + price(row[phones.INDEX[after]])
                self._phone(sounding[before], f"{after}_I", cost=cost, end=sounding[after])

    def text(self):
        """As OpenFst's text form; the start state must come first."""
        lines = [
            f"{start}\t{end}\t{taken}\t{given}\t{cost:.5f}"
            for start, end, taken, given, cost in sorted(self.arcs, key=lambda arc: arc[0])
        ]
        return "\n".join([*lines, *(f"{state}\t0" for state in self.finals)]) + "\n"


def shell(command, **arguments):
    """Run OpenFst's tools with their plugins."""
    environment = {**os.environ, "LD_LIBRARY_PATH": PLUGINS}
    subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], check=True, env=environment, **arguments
    )


def write_sounds(sounds, folder):
    """HCLr.fst and the tables; returns the word ids after relabelling."""
    (folder / "phones").mkdir(parents=True, exist_ok=True)
    pairs = folder / "relabel"
    shell(
        "fstcompile | fstarcsort --sort_type=olabel | fstconvert --fst_type=olabel_lookahead "
        f"--save_relabel_opairs={pairs} > {folder / 'HCLr.fst'}",
        input=sounds.text().encode(),
    )
    relabelled = dict(map(int, line.split()) for line in pairs.read_text().splitlines() if line)
    pairs.unlink()
    ids = {word: relabelled.get(number, number) for word, number in sounds.word_ids.items()}
    if len(set(ids.values())) != len(ids):
        raise RuntimeError("relabelling gave two words one id")
    lines = [f"{word} {number}\n" for word, number in sorted(ids.items(), key=lambda item: item[1])]
    (folder / "words.txt").write_text("".join(lines))
    (folder / "disambig_tid.int").write_text(f"{DISAMBIGUATION}\n")
    boundaries = [f"{SILENCE_ID} nonword\n"]
    for number, name in enumerate(phone_names()[2:], 2):
        boundaries.append(f"{number} {POSITIONS[name[-1]]}\n")
    (folder / "phones" / "word_boundary.int").write_text("".join(boundaries))
    return ids


def write_grammar(acceptor, ids, path):
    """Gr.fst: determinised and minimised, on the relabelled word ids."""
    lines = []
    for start, end, word, cost in sorted(acceptor.arcs, key=lambda arc: arc[0]):
        number = 0 if word is None else ids[word]
        lines.append(f"{start}\t{end}\t{number}\t{number}\t{cost:.4f}")
    lines += [f"{state}\t{cost:.4f}" for state, cost in acceptor.finals.items()]
    shell(
        "fstcompile | fstrmepsilon | fstdeterminize | fstminimize | fstarcsort --sort_type=ilabel "
        f"| fstconvert --fst_type=const > {path}",
        input=("\n".join(lines) + "\n").encode(),
    )
