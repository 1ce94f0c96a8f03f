"""Checks of the papers and published numbers that an experiment names, before anything runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from weft.config.check.counterparts import counterpart_mistakes
from weft.config.compose.cache import file_digest
from weft.config.language.errors import Problem, listing, nearest, unknown
from weft.config.language.yaml_files import read_raw
from weft.config.model.experiment import Experiment
from weft.config.model.figures import Curves
from weft.tables.published import Published, PublishedError, published_files, read_published


@dataclass(frozen=True, slots=True)
class _File:
    """The numbers of a file, or its first mistake."""

    numbers: Sequence[Published] = ()
    mistake: str = ""


def published_problems(experiment: Experiment) -> Iterator[Problem]:
    """Papers and items that are not there, mistakes in files, numbers that no figure shows."""
    folder = experiment.configs_dir / "paper"
    papers = sorted(path.stem for path in folder.glob("*.yaml"))
    paper = experiment.settings.paper
    if paper is not None and paper not in papers:
        yield Problem("paper", unknown("paper", paper, papers))
    elif paper is not None:
        yield from _mistakes("paper", folder, paper)
        yield from _wrong_rows(experiment.configs_dir, paper)
    overlaid = [
        (figure.place, figure.asked, item)
        for figure in experiment.figures
        for item in figure.asked.overlaid
    ]
    items = sorted(_items(folder)) if overlaid else []
    for figure, asked, item in overlaid:
        place, of_paper = f"{figure}.published", item.partition("/")[0]
        if mistakes := [*_mistakes(place, folder, of_paper)]:
            yield from mistakes
        elif item not in items:
            # All items of all papers would fill the screen.
            near = nearest(item, items) or f"; there are {len(items)} in configs/paper/"
            yield Problem(place, f"unknown item '{item}'{near}")
        elif isinstance(asked, Curves):
            yield from _unshown(place, asked, item, _numbers(folder, item))


def _mistakes(place: str, folder: Path, paper: str) -> Iterator[Problem]:
    for path in published_files(folder, paper):
        if mistake := _read(path, file_digest(path)).mistake:
            yield Problem(place, mistake)


def _wrong_rows(configs: Path, paper: str) -> Iterator[Problem]:
    """Mistakes in the list of what the paper prints."""
    try:
        for mistake in counterpart_mistakes(configs, paper):
            yield Problem("paper", mistake)
    except PublishedError as error:
        yield Problem("paper", str(error))


def _unshown(
    place: str, figure: Curves, item: str, numbers: Sequence[Published]
) -> Iterator[Problem]:
    """A figure shows only numbers of its metric that have a place on its x axis."""
    metrics = list(dict.fromkeys(each.metric for each in numbers))
    keys = list(dict.fromkeys(key for each in numbers for key in each.coordinates))
    if metrics and figure.y not in metrics:
        has = listing("it has", "metric", figure.y, metrics)
        yield Problem(place, f"{item} has no numbers of {figure.y}; {has}", (f"{place}.y",))
    elif metrics and figure.x not in keys:
        has = listing("its columns are", "key", figure.x, keys)
        yield Problem(place, f"{item} has no column {figure.x}, the figure's x; {has}")


def _items(folder: Path) -> set[str]:
    """What figures may lay over themselves: what papers describe, and what their tables hold."""
    found: set[str] = set()
    for path in folder.glob("*.yaml"):
        found |= {f"{path.stem}/{item}" for item in _described(path, file_digest(path))}
    for path in published_files(folder):
        numbers = _read(path, file_digest(path)).numbers
        found |= {f"{each.paper}/{each.item}" for each in numbers}
    return found


def _numbers(folder: Path, item: str) -> list[Published]:
    paper, _, name = item.partition("/")
    read = (_read(path, file_digest(path)) for path in published_files(folder, paper))
    return [each for file in read for each in file.numbers if each.item == name]


# Papers are large, and most of their experiments overlay something.
@lru_cache(maxsize=256)
def _described(path: Path, _digest: str | None) -> frozenset[str]:
    raw = read_raw(path, path.name)
    items = raw.get("items") if isinstance(raw, Mapping) else None
    return frozenset(map(str, items or ()))


@lru_cache(maxsize=256)
def _read(path: Path, _digest: str | None) -> _File:
    try:
        return _File(read_published(path))
    except PublishedError as error:
        return _File(mistake=str(error))
