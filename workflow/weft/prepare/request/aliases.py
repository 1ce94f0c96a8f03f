"""Files that a command requests under another name than rules know: by their whole path, or under
an experiment's plain name, which is another one in this run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from weft.files.layout import PAPER, RELATIVE


def from_here(target: str) -> str:
    """A target below this folder, however its path is written, by its path from here; every other
    as it is."""
    path = Path(target)
    above = (each for each in path.parents if each.exists() and each.samefile("."))
    folder = next(above, None)
    return target if folder is None else str(path.relative_to(folder))


def aliases(
    targets: Iterable[str],
    experiments: Mapping[str, str] = {},
    papers: Mapping[str, str] = {},
) -> dict[str, str]:
    """The files that are meant, by those of the `targets` that mean another one than they name.

    `experiments` and `papers` give the names in this run by those as written.
    """
    names = {**experiments, **{PAPER + name: PAPER + own for name, own in papers.items()}}
    meant = {target: _meant(Path(from_here(target)), names) for target in targets}
    return {target: path for target, path in meant.items() if path != target}


def _meant(path: Path, names: Mapping[str, str]) -> str:
    name = RELATIVE.named(path)
    if name is None or name not in names:
        return str(path)
    folder = RELATIVE.results.experiment(name).path
    if path.is_relative_to(folder):
        return str(RELATIVE.results.experiment(names[name]).path / path.relative_to(folder))
    return str(path.with_stem(names[name]))
