"""Whether the counterparts of a paper's printed numbers are in the project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from weft.config.check.described_metrics import metric_directions
from weft.config.check.paper_numbers import read_paper_numbers, wrong_row
from weft.config.compose.cache import file_digest
from weft.config.language.yaml_files import read_raw
from weft.config.model.catalogue import CATALOGUE

#: Folders of configs whose files a counterpart may name.
KINDS = ("experiment", "network", "topology", "workload", "engine", "service")


def counterpart_mistakes(configs: Path, paper: str) -> Iterator[str]:
    """A message for each counterpart that names no item, claim, experiment, metric or key.

    A tree without any of the paper's experiments says nothing about them.
    """
    numbers = [each for each in read_paper_numbers(configs / "paper", paper) if each.counterpart]
    theirs = [each for each in numbers if each.counterpart.startswith("experiment ")]
    there = any(_file(configs, each.counterpart).is_file() for each in theirs)
    for each in numbers:
        judged = there or each not in theirs
        if judged and not _is_there(configs, paper, each.counterpart):
            mistake = f"there is no counterpart '{each.counterpart}'"
            yield wrong_row(configs / "paper", paper, each.line, mistake)


def _is_there(configs: Path, paper: str, counterpart: str) -> bool:
    named, _, key = counterpart.partition(": ")
    kind, _, name = named.partition(" ")
    if not key:
        place = f"claims.{name}" if kind == "claim" else f"items.{named}"
        return place in _keys(configs / "paper" / f"{paper}.yaml")
    known = set(_keys(_file(configs, counterpart)))
    if kind == "engine" and known and name in CATALOGUE.engines:
        known |= {str(option["name"]) for option in CATALOGUE.engines[name].options}
    if kind == "experiment" and known:
        known |= set(metric_directions(configs))
    return kind in KINDS and key in known


def _file(configs: Path, counterpart: str) -> Path:
    kind, _, name = counterpart.partition(": ")[0].partition(" ")
    return configs / kind / f"{name}.yaml"


def _keys(path: Path) -> frozenset[str]:
    return _known(path, file_digest(path))


@lru_cache(maxsize=256)
def _known(path: Path, _digest: str | None) -> frozenset[str]:
    return frozenset(_dotted(read_raw(path, path.name)))


def _dotted(raw: object) -> Iterator[str]:
    """The dotted keys of a file; of a list those of its entries."""
    if isinstance(raw, Mapping):
        for key, value in raw.items():
            yield str(key)
            yield from (f"{key}.{below}" for below in _dotted(value))
    elif isinstance(raw, list):
        for entry in raw:
            yield from _dotted(entry)
