"""Pages as jobs of a run make them: a database that reading finds damaged is made again first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from weft.database import with_whole_database
from weft.files.layout import Layout
from weft.plan import read_plan
from weft.report.pages.build import build_paper, build_report


def make_report(plan: Path, out: Path, project: Layout) -> None:
    """Write the page of the experiment of `plan` to `out`."""

    def make() -> None:
        build_report(plan, project.results.database, project.configs, out)

    _with_whole_database(make, plan, project)


def make_paper(paper: str, plans: Sequence[Path], out: Path, project: Layout) -> None:
    """Write the page of a paper, which has the experiments of `plans`, to `out`."""

    def make() -> None:
        build_paper(paper, plans, project.results.database, project.configs, out)

    _with_whole_database(make, plans[0], project)


def _with_whole_database(make: Callable[[], None], plan: Path, project: Layout) -> None:
    results, papers = project.results, project.configs / "paper"
    experiment = read_plan(plan).experiment
    with_whole_database(make, experiment, results.path, papers, results.database)
