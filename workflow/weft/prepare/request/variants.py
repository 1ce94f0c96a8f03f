"""Which experiments a command line asks for, and under which overrides and names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from weft.config import Experiment, load_experiments
from weft.config.load.loader import Making
from weft.files.layout import Results, page_name
from weft.plan.variant import (
    AND,
    AT,
    QUICK,
    Changes,
    base_name,
    read_changes,
    variant_name,
    write_changes,
)
from weft.prepare.request.request import Request


def plain_request(request: Request, results: Path) -> tuple[Request, Changes]:
    """The request with the names of experiment files, and what it changes in them.

    A variant may stand beside the changes that make it. Raises ValueError where a command names
    variants of several kinds, or one and changes that make another.
    """
    given = Changes(request.overrides, request.run, request.quick)
    named = [*request.experiments, *request.papers]
    variants = [name for name in named if AT in name]
    if not variants:
        return request, given
    if given:
        found = {given}
        for name in variants:
            if (made := given.name(base_name(name))) != name:
                raise ValueError(
                    f"'{name}' is not what --config makes, which is '{made}': name "
                    f"{page_name(made)}, or leave out run=…, effort=… and overrides=[…]"
                )
    else:
        found = {_changes(name, results) for name in variants}
        if len(found) > 1 or len(variants) < len(named):
            raise ValueError(f"'{variants[0]}' needs a command of its own")
    plain = replace(
        request,
        experiments=tuple(dict.fromkeys(map(base_name, request.experiments))),
        papers=tuple(dict.fromkeys(map(base_name, request.papers))),
    )
    return plain, found.pop()


def _changes(name: str, results: Path) -> Changes:
    """How the variant `name` was asked for; one that was never run is read as its name says.

    Raises ValueError when the name says too little.
    """
    suffix = name.partition(AT)[2]
    if suffix == QUICK:
        return Changes(quick=True)
    if found := read_changes(Results(results).experiment(name).path):
        return found
    texts = tuple(suffix.split(AND))
    if name == variant_name(base_name(name), texts) and all("=" in text for text in texts):
        return Changes(texts)
    raise ValueError(
        f"'{name}' was never run here: give --config run=… or overrides=[…] with "
        f"{page_name(base_name(name))}"
    )


@dataclass(frozen=True, slots=True)
class VariantLoader:
    """Loads experiments as a command asks for them; `making` is shown their questions."""

    configs: Path
    search_path: Sequence[Path]
    results: Path
    making: Making | None = None

    def load(
        self, names: Sequence[str], changes: Changes, machine: Sequence[str]
    ) -> list[Experiment]:
        """The experiments called `names`, in this order, renamed where `changes` make a variant.

        `machine` are overrides that a profile adds; they come first. Raises ConfigErrors for
        mistakes in a file, and where an override does not fit an experiment.
        """
        short: Mapping[str, Sequence[str]] = {}
        if changes.quick:
            plain = self._loaded(names, {}, None)
            short = {each.name: each.settings.quick for each in plain}
        texts = {name: (*machine, *short.get(name, ()), *changes.overrides) for name in names}
        loaded = {each.name: each for each in self._loaded(names, texts, self.making)}
        found = [replace(loaded[name], name=changes.name(name)) for name in names]
        for each in found:
            if AT in each.name:
                write_changes(changes, Results(self.results).experiment(each.name).path)
        return found

    def _loaded(
        self,
        names: Sequence[str],
        overrides: Mapping[str, Sequence[str]],
        making: Making | None,
    ) -> list[Experiment]:
        return load_experiments(self.configs, names, overrides, self.search_path, making)
