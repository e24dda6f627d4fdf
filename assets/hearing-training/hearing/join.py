"""Stage "join": several finished networks as one, which answers with the mean of their answers.

It reads `networks/*.mdl` in the work folder, each an `am/final.mdl` that stage "export" wrote, and
writes the model's network. Each is cut down first to the rank that its training data need. Where
stage "card" left its networks in the work folder, these are joined as they are.
"""

from . import config, export, folded
from .data import CHUNKS
from .train import Data

KINDS = ("accented", "chess", "diphones", "people", "talk", "units")
"""Of these what there is in the language."""
UTTERANCES = 300
"""From one part of every kind; what the layers see in them decides what may be cut off."""
CARD_NETS = "net-*.pt"
LOST = 3e-4
"""So much of the energy of what leaves a pair of matrices may be lost."""


def _cut_down():
    """The networks of `networks/`, no larger than what they see asks for."""
    files = sorted((config.WORK / "networks").glob("*.mdl"))
    if len(files) < 2:
        raise SystemExit(f"join: put two or more networks into {config.WORK / 'networks'}")
    data = Data({kind: 1 for kind in KINDS if kind in CHUNKS})
    some = range(0, len(data), max(1, len(data) // UTTERANCES))
    networks = []
    for file in files:
        network = folded.read(file)
        energies = folded.energies(network, (data.log_mel(number) for number in some))
        network = network.reduced(energies, LOST)
        print(f"join: {file.name} cut down to {network.ranks()}", flush=True)
        networks.append(network)
    return networks


def run():
    """Write `am/final.mdl`, the graphs with the installed garbage, and their sums."""
    files = sorted(config.WORK.glob(CARD_NETS))
    networks = [folded.fold(export.load_net(file)) for file in files] or _cut_down()
    folder = config.WORK / "model"
    export.write_network(networks, folder)
    export.write_graphs(folder)
    export.write_sums(folder)
