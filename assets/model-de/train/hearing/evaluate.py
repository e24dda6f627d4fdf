"""Stage "evaluate": the model on a set, through the real libvosk.

Two recognisers hear each sound: one with the strict grammar, one that knows only garbage. `margin`
is the score of the best result above garbage, `gap` its score above the next one that means
something else. Both decide whether a result is taken, asked about or ignored; see `decide`.
"""

import argparse
import json
import multiprocessing
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from . import config, people
from .grammar import UNKNOWN

ALTERNATIVES = 6
LETTERS = {
    "a": "anna", "b": "bella", "c": "cesar", "d": "david",
    "e": "eva", "f": "felix", "g": "gustav", "h": "hector", "zwo": "zwei",
}  # fmt: skip
SILENT_KINDS = ("foreign", "talk", "noise")
MARGIN = 0.0
GAP = 0.0


@dataclass
class Heard:
    """What came out for one sound."""

    text: str
    speaker: str
    kind: str
    best: str
    margin: float
    """Score of the best result above garbage."""
    gap: float
    """Score of the best result above the next one that means something else."""
    seconds: float
    cost_s: float


def meaning(text):
    """Letters and zwo mean what their long names mean."""
    return " ".join(LETTERS.get(word, word) for word in text.split())


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
    started = time.time()
    found = _results(vosk.KaldiRecognizer(_model, config.SAMPLE_RATE), wave)
    garbage = _results(vosk.KaldiRecognizer(_model, config.SAMPLE_RATE, f'["{UNKNOWN}"]'), wave)
    cost = time.time() - started
    best = found[0]
    others = [o for o in found[1:] if meaning(o["text"]) != meaning(best["text"])]
    gap = best["confidence"] - others[0]["confidence"] if others else 99.0
    margin = best["confidence"] - garbage[0]["confidence"]
    return Heard(
        text, speaker, kind, best["text"], margin, gap, len(wave) / config.SAMPLE_RATE, cost
    )


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


def decide(heard, margin=MARGIN, gap=GAP):
    """take, ask or ignore."""
    if not heard.best or UNKNOWN in heard.best or heard.margin < margin:
        return "ignore"
    return "ask" if heard.gap < gap else "take"


def table(results, margin=MARGIN, gap=GAP):
    """Figures per kind: exact, asked, ignored, silently wrong; and exact of the worst voice."""
    groups = defaultdict(list)
    for heard in results:
        groups[heard.kind].append(heard)
    lines = [
        f"{'kind':16} {'n':>5} {'best':>7} {'exact':>7} {'asked':>7} {'ignored':>7} {'wrong':>7}  worst"
    ]
    for kind, group in sorted(groups.items()):
        count = len(group)
        decisions = [decide(heard, margin, gap) for heard in group]
        takes = [d == "take" for d in decisions]
        if kind in SILENT_KINDS:
            wrong = sum(takes)
            lines.append(
                f"{kind:16} {count:5} {'':7} {'':7} {decisions.count('ask') / count:7.1%} "
                f"{decisions.count('ignore') / count:7.1%} {wrong / count:7.1%}"
            )
            continue
        right = [meaning(heard.best) == meaning(heard.text) for heard in group]
        exact = [r and t for r, t in zip(right, takes)]
        wrong = [t and not r for r, t in zip(right, takes)]
        voices = defaultdict(list)
        for heard, ok in zip(group, right):
            voices[heard.speaker].append(ok)
        worst = min((np.mean(oks), voice) for voice, oks in voices.items())
        lines.append(
            f"{kind:16} {count:5} {np.mean(right):7.1%} {np.mean(exact):7.1%} "
            f"{decisions.count('ask') / count:7.1%} {decisions.count('ignore') / count:7.1%} "
            f"{np.mean(wrong):7.1%}  {worst[0]:.1%} {worst[1]}"
        )
    seconds = sum(heard.seconds for heard in results)
    cost = sum(heard.cost_s for heard in results)
    lines.append(f"real-time factor of both recognisers: {cost / seconds:.4f}")
    return "\n".join(lines)


def errors(results, kinds):
    """What was heard wrongly."""
    for heard in results:
        wrong = meaning(heard.best) != meaning(heard.text)
        if heard.kind in SILENT_KINDS:
            wrong = bool(heard.best) and UNKNOWN not in heard.best
        if heard.kind in kinds and wrong:
            print(
                f"{heard.kind} {heard.speaker}: {heard.text!r} heard {heard.best!r} "
                f"margin {heard.margin:.1f} gap {heard.gap:.1f}"
            )


def run(arguments=()):
    """Command line: python -m hearing.evaluate SET MODEL."""
    parser = argparse.ArgumentParser()
    parser.add_argument("set", nargs="?", default=str(config.WORK / "eval" / "test"))
    parser.add_argument("model", nargs="?", default=str(config.WORK / "model"))
    parser.add_argument("--margin", type=float, default=MARGIN)
    parser.add_argument("--gap", type=float, default=GAP)
    parser.add_argument("--kinds", nargs="*")
    parser.add_argument("--errors", nargs="*", default=[])
    options = parser.parse_args(list(arguments))
    results = run_set(options.set, options.model, options.kinds)
    print(table(results, options.margin, options.gap))
    errors(results, options.errors)
    return results


if __name__ == "__main__":
    run(sys.argv[1:])
