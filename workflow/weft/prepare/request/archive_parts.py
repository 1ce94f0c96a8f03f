"""What goes into the archives that a command asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from weft.config import Experiment
from weft.config.load.sources import source_files
from weft.files.layout import PAPER, RELATIVE
from weft.prepare.jobs.entries import ArchiveParts
from weft.prepare.request.request import Request


def archive_parts(
    targets: Iterable[str],
    request: Request,
    experiments: Sequence[Experiment],
    papers: Mapping[str, Sequence[str]],
    plans: Mapping[str, str],
) -> dict[str, ArchiveParts]:
    """By page, the parts of every archive among the `targets`, which have the names in this run.

    `papers` are the names of the experiments of each paper, and `plans` the file of each plan,
    which a look writes elsewhere.
    """
    found = {}
    known = {each.name: each for each in experiments}
    for target in targets:
        path = Path(target)
        if path.parent != RELATIVE.archives.path or path.suffix != ".zip":
            continue
        page = path.stem
        names = papers.get(page.removeprefix(PAPER), [page]) if page.startswith(PAPER) else [page]
        if not known.keys() >= {*names}:
            continue
        sources = {p for name in names for p in source_files(known[name], request.search_path)}
        found[page] = ArchiveParts(
            plans=[plans[name] for name in names],
            sources=sorted(map(str, sources)),
            wheels=request.wheels,
            anonymous=request.anonymous,
        )
    return found
