#!/usr/bin/env python3
"""Makes the development and test sets: make_eval_sets.py FOLDER (see hearing/eval_sets.py)."""

import sys

from hearing.eval_sets import main

if __name__ == "__main__":
    main(sys.argv[1])
