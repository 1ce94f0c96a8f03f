"""The comparisons that stand below `reports/compare`: whose they are, and what differs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from weft.files.layout import BETWEEN, ExperimentFolder, Reports
from weft.report.compare.differences import Difference, settings_differences
from weft.report.data.source import open_study

#: Between the names of two experiments in the name of their page; no experiment's name has it.
_BETWEEN = ".."


@dataclass(frozen=True, slots=True)
class ListedComparison:
    """A page of two experiments; `link` is its path from the folder of reports.

    `settings` are those that differ. They are not `known` if a plan or its rows are gone.
    """

    link: str
    names: tuple[str, str]
    titles: tuple[str, ...] = ()
    settings: tuple[Difference, ...] = ()
    known: bool = False


def listed(
    reports: Reports, plan_paths: Sequence[Path], database: Path, configs: Path
) -> list[ListedComparison]:
    """The pages that exist, by name; each says what it compares as far as plans still do."""
    plans = {ExperimentFolder.of_plan(path).name: path for path in plan_paths}
    found = []
    for page in sorted(reports.comparisons.glob(f"*{BETWEEN}*.html")):
        first, _, second = page.stem.partition(BETWEEN)
        plain = ListedComparison(str(page.relative_to(reports.path)), (first, second))
        found.append(_described(plain, plans, database, configs))
    return found


def _described(
    plain: ListedComparison, plans: dict[str, Path], database: Path, configs: Path
) -> ListedComparison:
    """`plain` with titles and settings; what cannot be read any more is left out."""
    if not plans.keys() >= set(plain.names):
        return plain
    first, second = (plans[name] for name in plain.names)
    # A plan of another version does not prevent the list.
    with (
        suppress(ValueError, OSError, duckdb.Error),
        open_study(first, database, configs) as a,
        open_study(second, database, configs) as b,
    ):
        titles = dict.fromkeys(study.plan.title or study.plan.experiment for study in (a, b))
        settings = tuple(settings_differences(a, b))
        return ListedComparison(plain.link, plain.names, tuple(titles), settings, known=True)
    return plain
