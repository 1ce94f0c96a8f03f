"""The files that an experiment is composed of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from weft.config.compose.search_path import searched
from weft.config.load.loader import Loader, tree_of
from weft.config.model.experiment import Experiment


def source_files(experiment: Experiment, search_path: Sequence[Path] = ()) -> list[Path]:
    """Every file that Hydra read for the experiment: its own, its groups', and `config.yaml`."""
    tree = tree_of(searched(experiment.configs_dir, search_path))
    loader = Loader(tree, experiment.file, experiment.overrides, thorough=False)
    loader.load()
    return sorted(Path(path) for path, digest in loader.files.items() if digest)
