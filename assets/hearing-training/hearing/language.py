"""What belongs to the language that is trained: the modules in `train` of its model's folder.

`sounds` has the phone set, `texts` what is said, `voices` who says it, and `people` the recordings.
Everything else in this package is the same for all languages.
"""

import importlib.util

from . import config


def _load(name):
    file = config.LANGUAGE_DIR / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"{__package__}.{config.LANGUAGE}_{name}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


sounds, texts, voices, people = map(_load, ("sounds", "texts", "voices", "people"))
