"""`python -m hearing STAGE…` runs the named stages, or all of them."""

import sys
import time

from . import config

STAGES = ("data", "train", "export", "eval_sets", "evaluate", "install")
ALONE = ("sources", "card", "graphs", "align", "join", "other_voices")
"""Stages that are run only when they are named."""


def main(names):
    """Run stages that have no stamp yet; a named stage always runs."""
    config.WORK.mkdir(parents=True, exist_ok=True)
    for name in names or STAGES:
        if name not in STAGES + ALONE:
            sys.exit(f"unknown stage {name}; there are: {' '.join(STAGES + ALONE)}")
        stamp = config.WORK / f"{name}.done"
        if not names and stamp.exists():
            print(f"{name}: done before")
            continue
        started = time.time()
        module = __import__(f"hearing.{name}", fromlist=["run"])
        module.run()
        stamp.write_text(f"{time.time() - started:.0f} s\n")
        print(f"{name}: {time.time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
