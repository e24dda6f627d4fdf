"""Stage "graphs": the installed model with the words of its language as they are now.

It needs no training and no recordings: the network stays, and what garbage pays is kept.
"""

from . import config, export


def run():
    """Write `graph/` and the sums of the installed model anew."""
    export.write_graphs(config.MODEL_DIR)
    export.write_sums(config.MODEL_DIR)
    print(f"graphs: {config.MODEL_DIR / 'graph'}")
