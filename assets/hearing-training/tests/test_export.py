"""The bundled graphs are what the words of the language and the kept garbage table give."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from hearing import config, export, graph, phones

pytestmark = pytest.mark.skipif(
    not export.GARBAGE.exists(), reason="skipped: no model of this language yet"
)


def test_garbage_pays_a_share_of_one_for_every_next_phone():
    start, follow = export.garbage_bigram(export.GARBAGE)
    silence = phones.INDEX[phones.SILENCE]
    sounding = np.delete(follow, silence, axis=0)
    assert len(sounding) == phones.COUNT - 1
    assert np.allclose([start.sum(), *sounding.sum(axis=1)], 1, atol=1e-4)
    assert follow[:, silence].sum() == 0


@pytest.mark.skipif(
    shutil.which("fstcompile") is None or not Path(graph.PLUGINS).is_dir(),
    reason="skipped: needs Debian's libfst-tools and libfst22-plugins-base",
)
def test_bundled_graphs_are_up_to_date(tmp_path):
    export.write_graphs(tmp_path)
    for name in ("HCLr.fst", "Gr.fst", "words.txt"):
        bundled = config.MODEL_DIR / "graph" / name
        assert (tmp_path / "graph" / name).read_bytes() == bundled.read_bytes(), name
