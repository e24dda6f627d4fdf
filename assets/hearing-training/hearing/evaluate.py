"""Stage "evaluate": the model on a set, through the real libvosk, with the program's own decision.

Two recognisers hear each sound: one with the strict grammar, one that knows only garbage. The
confidence is the share of the best meaning among the alternatives; the gain is its score above
garbage, a second of speech. `src/shell/hearing/decide.rs` decides in the same way.
"""

import argparse
import functools
import json
import math
import multiprocessing
import sys
import time
import tomllib
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import soundfile

from . import config, people
from .grammar import UNKNOWN
from .lexicon import Lexicon

ALTERNATIVES = 10
SILENT_KINDS = ("foreign", "talk", "noise")
DECISIONS = config.MODEL_DIR / "decisions.toml"
SHORTEST_SPEECH_S = 0.2


@dataclass(frozen=True)
class Limits:
    """Thresholds as in decisions.toml."""

    sure: float
    clear: float
    speech: float

    @classmethod
    def read(cls, file=DECISIONS):
        """Those of long and short moves and of commands."""
        with open(file, "rb") as opened:
            table = tomllib.load(opened)
        names = cls.__dataclass_fields__
        return {
            kind: cls(**{name: table[kind][name] for name in names})
            for kind in ("long", "short", "command")
        }


@dataclass
class Heard:
    """What came out for one sound."""

    text: str
    speaker: str
    kind: str
    alternatives: list
    garbage: float
    speech_s: float
    seconds: float
    cost_s: float

    @property
    def best(self):
        """The best alternative without garbage, or None."""
        return self.alternatives[0][0] if self.alternatives else None

    @property
    def gain(self):
        """Its score above garbage, a second of speech."""
        if not self.alternatives:
            return -math.inf
        return (self.alternatives[0][1] - self.garbage) / max(self.speech_s, SHORTEST_SPEECH_S)

    @property
    def confidence(self):
        """Share of its meaning among the alternatives."""
        weights = [math.exp(score - self.alternatives[0][1]) for _, score in self.alternatives]
        same = [meaning(text) == meaning(self.best) for text, _ in self.alternatives]
        return sum(w for w, s in zip(weights, same) if s) / sum(weights)

    @property
    def right(self):
        """Whether the best alternative is what was said."""
        return self.best is not None and meaning(self.best) == meaning(self.text)


@functools.cache
def _values():
    return {word.word: word.value for word in Lexicon.read().words.values()}


def meaning(text):
    """Words of the same value mean the same, as letters and the long names of files."""
    values = _values()
    said = [(values.get(word, "word"), word) for word in text.split()]
    return " ".join(word if value == "word" else value for value, word in said)


_model = None


def _start(folder):
    global _model
    import vosk

    vosk.SetLogLevel(-1)
    _model = vosk.Model(str(folder))


def _results(recogniser, wave):
    recogniser.SetMaxAlternatives(ALTERNATIVES)
    recogniser.AcceptWaveform(wave.tobytes())
    return json.loads(recogniser.FinalResult())["alternatives"]


def hear(job):
    """Run both recognisers over one file."""
    import vosk

    file, text, speaker, kind = job
    wave, _ = soundfile.read(file, dtype="int16")
    started = time.process_time()
    found = _results(vosk.KaldiRecognizer(_model, config.SAMPLE_RATE), wave)
    garbage = _results(vosk.KaldiRecognizer(_model, config.SAMPLE_RATE, f'["{UNKNOWN}"]'), wave)
    cost = time.process_time() - started
    worded = [o for o in found if set(o["text"].split()) - {UNKNOWN}]
    if worded and UNKNOWN in worded[0]["text"]:
        worded = []  # something else where a word of a command belongs
    spoken = [(o["text"], o["confidence"]) for o in worded if UNKNOWN not in o["text"]]
    seconds = len(wave) / config.SAMPLE_RATE
    speech_s = len(people.trim(wave)) / config.SAMPLE_RATE
    return Heard(text, speaker, kind, spoken, garbage[0]["confidence"], speech_s, seconds, cost)


def run_set(folder, model, kinds=None):
    """Hear a whole set."""
    folder = Path(folder)
    with open(folder / people.MANIFEST, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    jobs = [(folder / file, *rest) for file, *rest in rows]
    if kinds:
        jobs = [job for job in jobs if job[3] in kinds]
    with multiprocessing.Pool(config.WORKERS, _start, (model,)) as pool:
        return pool.map(hear, jobs, chunksize=16)


def kind_of(text):
    """long, short or command, by how many ranks are named."""
    values = [_values().get(word, "word").split()[0] for word in text.split()]
    ranks = values.count("rank")
    if ranks == 2 or "castling" in values:
        return "long"
    return "short" if ranks and len(text.split()) > 1 else "command"


def decide(heard, limits):
    """take, ask or ignore."""
    if not heard.alternatives:
        return "ignore"
    limits = limits[kind_of(heard.best)]
    if heard.gain < limits.speech:
        return "ignore"
    sure = heard.confidence >= limits.sure and heard.gain >= limits.clear
    return "take" if sure else "ask"


def table(results, limits):
    """Figures per kind: best, exact, asked, ignored, silently wrong; and the worst speaker."""
    groups = defaultdict(list)
    for heard in results:
        groups[heard.kind].append(heard)
    lines = [
        f"{'kind':14} {'n':>5} {'best':>7} {'exact':>7} {'asked':>7} {'ignored':>7} {'wrong':>7}  "
        "exact of the worst speaker"
    ]
    for kind, group in sorted(groups.items()):
        decisions = [decide(heard, limits) for heard in group]
        share = {name: decisions.count(name) / len(group) for name in ("take", "ask", "ignore")}
        silent = kind in SILENT_KINDS
        right = [heard.right and not silent for heard in group]
        exact = [r and d == "take" for r, d in zip(right, decisions)]
        wrong = share["take"] - np.mean(exact)
        line = f"{kind:14} {len(group):5} {np.mean(right):7.1%} {np.mean(exact):7.1%} "
        line += f"{share['ask']:7.1%} {share['ignore']:7.1%} {wrong:7.1%}"
        if not silent:
            voices = defaultdict(list)
            for heard, ok in zip(group, exact):
                voices[heard.speaker].append(ok)
            worst = min((np.mean(oks), voice) for voice, oks in voices.items())
            line += f"  {worst[0]:.1%} {worst[1]}"
        lines.append(line)
    seconds = sum(heard.seconds for heard in results)
    cost = sum(heard.cost_s for heard in results)
    lines.append(f"real-time factor of both recognisers: {cost / seconds:.4f}")
    return "\n".join(lines)


CURVE_SURE = (0.34, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
CURVE_CLEAR = (-8, -4, -2, 0, 1, 2, 3, 4, 6, 8)


def curve(results, limits):
    """Silently wrong and asked against each of the two thresholds, over all announcements."""
    said = [heard for heard in results if heard.kind not in SILENT_KINDS]
    silent = [heard for heard in results if heard.kind in SILENT_KINDS]
    lines = ["  sure  clear   exact   asked ignored   wrong  taken talk"]
    tries = [{k: replace(limits[k], sure=sure) for k in limits} for sure in CURVE_SURE]
    tries += [{k: replace(limits[k], clear=clear) for k in limits} for clear in CURVE_CLEAR]
    for one in tries:
        decisions = [decide(heard, one) for heard in said]
        count = len(said)
        taken = sum(d == "take" for d in decisions)
        exact = sum(d == "take" and h.right for d, h in zip(decisions, said))
        false = np.mean([decide(heard, one) == "take" for heard in silent]) if silent else 0
        lines.append(
            f"{one['long'].sure:6.2f} {one['long'].clear:6.1f} {exact / count:7.2%} "
            f"{decisions.count('ask') / count:7.2%} {decisions.count('ignore') / count:7.2%} "
            f"{(taken - exact) / count:7.2%} {false:7.2%}"
        )
    return "\n".join(lines)


def errors(results, kinds, limits):
    """What was not heard, or taken though it was nothing."""
    for heard in results:
        decision = decide(heard, limits)
        if heard.kind in SILENT_KINDS:
            fine = decision == "ignore"
        else:
            fine = heard.right and decision == "take"
        if heard.kind in kinds and not fine:
            score = f"confidence {heard.confidence:.2f} " if heard.alternatives else ""
            print(
                f"{heard.kind} {heard.speaker}: {heard.text!r} {decision} {heard.best!r} "
                f"{score}gain {heard.gain:.1f}"
            )


def run(arguments=()):
    """Command line: python -m hearing.evaluate SET MODEL."""
    parser = argparse.ArgumentParser()
    parser.add_argument("set", nargs="?", default=str(config.WORK / "eval" / "test"))
    parser.add_argument("model", nargs="?", default=str(config.WORK / "model"))
    parser.add_argument("--kinds", nargs="*")
    parser.add_argument("--errors", nargs="*", default=[])
    parser.add_argument("--curve", action="store_true")
    options = parser.parse_args(list(arguments))
    limits = Limits.read()
    results = run_set(options.set, options.model, options.kinds)
    print(table(results, limits))
    if options.curve:
        print(curve(results, limits))
    errors(results, options.errors, limits)
    return results


if __name__ == "__main__":
    run(sys.argv[1:])
