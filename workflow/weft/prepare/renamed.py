"""Files that a command asks for by the name of an experiment that has another one in this run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from weft.prepare.request import PAPER


def aliases(
    targets: Iterable[str], experiments: Mapping[str, str], papers: Mapping[str, str]
) -> dict[str, str]:
    """The files that are meant, by those of the `targets` that mean another one than they name.

    `experiments` and `papers` give the names in this run by those as written.
    """
    names = {**experiments, **{PAPER + name: PAPER + own for name, own in papers.items()}}
    meant = {target: _meant(PurePosixPath(target), names) for target in targets}
    return {target: path for target, path in meant.items() if path != target}


def _meant(path: PurePosixPath, names: Mapping[str, str]) -> str:
    if path.parent.name == "reports" and path.suffix == ".html":
        return str(path.with_name(f"{names.get(path.stem, path.stem)}.html"))
    if len(path.parts) > 2 and path.parts[0] == "results":
        own = names.get(path.parts[1], path.parts[1])
        return str(PurePosixPath("results", own, *path.parts[2:]))
    return str(path)
