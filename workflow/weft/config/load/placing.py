"""Mistakes that show after loading, placed like those that loading finds: file, line and key."""

from __future__ import annotations

from collections.abc import Iterable

from weft.config.compose.composition import Composition
from weft.config.compose.key_origin import Origin
from weft.config.compose.overrides import split_overrides
from weft.config.language.errors import ConfigError, Problem
from weft.config.model.experiment import Experiment


def placed(experiment: Experiment, problems: Iterable[Problem]) -> list[ConfigError]:
    """The problems of an experiment with their files and lines."""
    folders = (experiment.configs_dir,)
    overrides, _ = split_overrides(folders, experiment.overrides)
    # A variant has a name of its own, and the file of its experiment.
    asked = Composition(folders, experiment.file.stem, overrides.choices, overrides.lines)
    return Origin(asked, experiment.file, overrides).errors(problems)
