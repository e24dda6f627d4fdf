"""A baseline: Debian's pocketsphinx with its English sounds and our words.

    python -m hearing.pocketsphinx SET [--kinds KIND…]

Needs the packages pocketsphinx and pocketsphinx-en-us. Whatever it hears is taken, as simple
programs do: it has the same order of words (a JSGF of moves and commands), but no way to doubt.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import soundfile

from . import config, people
from .evaluate import SILENT_KINDS, meaning
from .language import sounds
from .lexicon import Lexicon

MODEL = "/usr/share/pocketsphinx/model/en-us/en-us"
def dictionary(lexicon):
    """Every word with all its pronunciations."""
    lines = []
    for word in lexicon.words.values():
        nearest = sounds.POCKETSPHINX
        said = dict.fromkeys(" ".join(nearest[phone] for phone in form) for form in word.phones)
        for number, phones in enumerate(said, 1):
            name = word.word if number == 1 else f"{word.word}({number})"
            lines.append(f"{name} {phones}\n")
    return "".join(lines)


def grammar(lexicon):
    """Moves and commands as a JSGF."""
    square = f"(({' | '.join(lexicon.file_names())}) ({' | '.join(lexicon.ranks())}))"
    piece = f"({' | '.join(lexicon.pieces())})"
    links = " | ".join([*lexicon.with_value("to"), *lexicon.with_value("captures")])
    suffixes = " | ".join(lexicon.with_value("check") + lexicon.with_value("mate"))
    move = f"[{piece}] {square} [{links}] {square} [{piece}] | [{piece}] {square}"
    commands = " | ".join(lexicon.phrases)
    words = " | ".join(lexicon.ranks())
    return (
        "#JSGF V1.0 UTF-8;\ngrammar announcements;\n"
        f"public <said> = ({move} | {commands} | {words}) [{suffixes}];\n"
    )


def hear(folder, rows):
    """What it makes of each file."""
    lexicon = Lexicon.read()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "words.dict").write_text(dictionary(lexicon), encoding="utf-8")
        (work / "moves.jsgf").write_text(grammar(lexicon), encoding="utf-8")
        for number, (file, *_) in enumerate(rows):
            wave, rate = soundfile.read(folder / file, dtype="int16")
            soundfile.write(work / f"{number}.wav", wave, rate)
        (work / "files").write_text("".join(f"{n}\n" for n in range(len(rows))))
        command = ["pocketsphinx_batch", "-hmm", MODEL, "-dict", "words.dict"]
        command += ["-jsgf", "moves.jsgf", "-ctl", "files", "-cepdir", ".", "-cepext", ".wav"]
        command += ["-adcin", "yes", "-adchdr", "44", "-hyp", "heard"]
        subprocess.run(command, cwd=work, check=True, capture_output=True)
        heard = (work / "heard").read_text(encoding="utf-8").splitlines()
    return [line.rsplit("(", 1)[0].strip() for line in heard]


def main(arguments):
    """Exact and silently wrong, kind by kind."""
    parser = argparse.ArgumentParser()
    parser.add_argument("set", type=Path)
    parser.add_argument("--kinds", nargs="*")
    options = parser.parse_args(arguments)
    with open(options.set / people.MANIFEST, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    rows = [row for row in rows if not options.kinds or row[3] in options.kinds]
    counts = defaultdict(lambda: [0, 0, 0])
    for (_, text, _, kind), heard in zip(rows, hear(options.set, rows), strict=True):
        count = counts[kind]
        count[0] += 1
        is_right = kind not in SILENT_KINDS and meaning(heard) == meaning(text)
        count[1] += is_right
        count[2] += bool(heard) and not is_right
    for kind, (total, right, wrong) in sorted(counts.items()):
        shares = f"exact {right / total:6.1%}  taken wrongly {wrong / total:6.1%}"
        print(f"{kind:14} {total:5}  {shares}")


if __name__ == "__main__":
    config.WORK.mkdir(parents=True, exist_ok=True)
    main(sys.argv[1:])
