"""How many points an experiment has, found before any of them is formed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from math import prod
from pathlib import Path

from weft.config.language.errors import ConfigError, ConfigErrors, Problem
from weft.config.language.file_limits import MOST_INTEGER
from weft.config.language.yaml_files import placed, read_raw, read_text, shown_path
from weft.config.model.experiment import Experiment, ExperimentFile
from weft.config.model.sweep import Sweep
from weft.config.points.resolve import Resolver

KEY = "max_points"
#: Where `configs/config.yaml` says nothing.
USUAL = 2_000_000


def most_points(configs_dir: Path) -> int:
    """How many points an experiment may have: `max_points` of `config.yaml`.

    Raises ConfigErrors when that is no number of points.
    """
    file = configs_dir / "config.yaml"
    shown = shown_path(configs_dir, file)
    raw = read_raw(file, shown)
    found = USUAL if isinstance(raw, ConfigError) else raw.get(KEY, USUAL)
    if type(found) is not int or found < 1:
        wrong = Problem(KEY, f"expected a number of points, got {found!r}")
        raise ConfigErrors(placed([wrong], read_text(file), shown))
    return found


def count_problems(settings: ExperimentFile, sweep: Sweep, most: int) -> list[Problem]:
    """More points, or larger seeds, than there may be, as far as no condition decides it."""
    found = []
    last = max((settings.seeds(name).stop - 1 for name in settings.engines), default=0)
    if last > MOST_INTEGER:
        message = f"the last replicate has seed {last}; seeds are at most {MOST_INTEGER}"
        found.append(Problem("seed", message))
    count = sum(
        _rows(sweep, name, conditional=False) * _replicates(settings, name)
        for name in settings.engines
    )
    if count > most:
        key = "sweep" if sweep.axes else "replicates"
        found.append(Problem(key, f"{count:,} points; {_advice(most)}"))
    return found


def condition_problems(experiment: Experiment, most: int) -> list[Problem]:
    """The same where conditions decide how many points there are: counted, but not kept."""
    sweep, settings = experiment.sweep, experiment.settings
    engines: Sequence[str] = experiment.engines
    if at_most(experiment) <= most:
        return []
    value = Resolver(experiment).value
    left = most
    for name in engines:
        each = _replicates(settings, name)
        left -= each * sum(1 for _ in islice(sweep.formed(name, value), left // each + 1))
        if left < 0:
            return [Problem("sweep", f"more than {most:,} points; {_advice(most)}")]
    return []


def at_most(experiment: Experiment) -> int:
    """How many points the experiment has if every condition holds everywhere."""
    sweep, settings = experiment.sweep, experiment.settings
    return sum(
        _rows(sweep, name, conditional=True) * _replicates(settings, name)
        for name in experiment.engines
    )


def _rows(sweep: Sweep, engine: str, *, conditional: bool) -> int:
    axes = (axis for axis in sweep.axes if axis.serves(engine))
    return prod(len(axis.rows) for axis in axes if conditional or axis.when is None)


def _replicates(settings: ExperimentFile, engine: str) -> int:
    # Not len(), which more replicates than a machine word holds would overflow.
    seeds = settings.seeds(engine)
    return seeds.stop - seeds.start


def _advice(most: int) -> str:
    return f"an experiment may have {most:,}: ask for fewer, or raise {KEY} in configs/config.yaml"
