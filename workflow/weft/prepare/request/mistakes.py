"""Targets whose experiments have mistakes: a job that fails with these stands for each, so that the
other targets of the command are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weft.config import ConfigErrors, Experiment
from weft.files.layout import RELATIVE
from weft.plan.variant import Changes, base_name
from weft.prepare.request.aliases import from_here
from weft.prepare.request.request import Request
from weft.prepare.request.variants import VariantLoader


@dataclass(frozen=True, slots=True)
class Sound:
    """The experiments without mistakes, with their `names` as in their files, and by name those of
    the others."""

    names: tuple[str, ...]
    experiments: Sequence[Experiment]
    mistakes: Mapping[str, ConfigErrors] = field(default_factory=dict)


def sound(
    loader: VariantLoader,
    names: Sequence[str],
    changes: Changes,
    machine: Sequence[str],
    separate: bool,
) -> Sound:
    """Load the experiments called `names`; each may have mistakes of its own where the command
    names them as `separate` targets.

    Raises ConfigErrors where all of them have mistakes, or one without being separate.
    """
    try:
        return Sound(tuple(names), loader.load(names, changes, machine))
    except ConfigErrors:
        if not separate:
            raise
        loaded: dict[str, Experiment] = {}
        mistakes: dict[str, ConfigErrors] = {}
        for name in names:
            try:
                (loaded[name],) = loader.load([name], changes, machine)
            except ConfigErrors as error:
                mistakes[name] = error
        if not loaded:
            raise
        return Sound(tuple(loaded), list(loaded.values()), mistakes)


def are_separate(request: Request, targets: Iterable[str]) -> bool:
    """Whether every experiment of the command is named by a target of its own."""
    others = request.papers or request.all_papers or request.everything or request.defaults
    return not others and {*request.experiments} <= {base_name(n) for n in map(_of, targets) if n}


def mistaken_targets(
    targets: Iterable[str], mistakes: Mapping[str, ConfigErrors]
) -> dict[str, tuple[str, str]]:
    """The targets of experiments with `mistakes`, each with its experiment and what is wrong."""
    names = {target: base_name(_of(target) or "") for target in targets}
    return {
        target: (name, str(mistakes[name])) for target, name in names.items() if name in mistakes
    }


def _of(target: str) -> str | None:
    return RELATIVE.named(Path(from_here(target)))
