"""How a run ended: points done, failed and skipped, by experiment, as its last lines say."""

from __future__ import annotations

import atexit
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from weft.analysis.bounds import HELD
from weft.files.layout import RELATIVE, STATUS, ExperimentFolder, Reports, Results
from weft.interrupt import RESUMES, ends_jobs


@dataclass(frozen=True, slots=True)
class ExperimentOutcome:
    """What became of the points of one experiment.

    `flagged` points are done, and not to be trusted; `missing` ones have no outcome.
    """

    experiment: str
    points: int
    done: int
    failed: int = 0
    skipped: int = 0
    flagged: int = 0
    missing: int = 0

    @property
    def line(self) -> str:
        """`quickstart: 12 points: 10 done, 1 failed, 1 skipped`."""
        names = ("failed", "skipped", "flagged", "missing")
        counts = [f"{getattr(self, n)} {n}" for n in names if getattr(self, n)]
        noun = "point" if self.points == 1 else "points"
        return f"{self.experiment}: {self.points} {noun}: " + ", ".join(
            [f"{self.done} done", *counts]
        )

    def verdict(self, *, strict: bool) -> str | None:
        """Why the run is a failure though every job ended well, or None."""
        if self.failed and not self.done:
            return f"{self.experiment}: no point is done, {self.failed} failed"
        if strict and (self.failed or self.skipped or self.flagged):
            return f"{self.line}, and strict=true accepts only done points"
        return None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The last words of a run of `experiments`."""

    experiments: Sequence[str] = ()
    results: Path = RELATIVE.results.path
    reports: Reports = RELATIVE.reports
    strict: bool = False
    #: The folder of metrics and papers, where expectations have to hold; else None.
    judged_by: Path | None = None

    def check(self) -> None:
        """End the process with code 1 where every point of an experiment failed.

        With `strict` a single point that is not done, or flagged, is enough. With `judged_by` an
        expectation that is missed or void is, too. For a run whose jobs all ended well; one whose
        jobs did not has failed already.
        """
        found = (each.verdict(strict=self.strict) for each in self._outcomes())
        if wrong := [*(text for text in found if text), *self._not_held()]:
            raise SystemExit("\n".join(f"weft: {text}" for text in wrong))

    def _not_held(self) -> Iterator[str]:
        """A line for each expectation that is missed or void."""
        if self.judged_by is None:
            return
        # What makes pages is not needed by any other run.
        from weft.report.pages.build import expectations_of

        results = Results(self.results)
        for name in self.experiments:
            plan = results.experiment(name).plan
            try:
                outcomes = expectations_of(plan, results.database, self.judged_by)
            except (OSError, ValueError) as error:
                yield f"{name}: nothing judges its expectations: {error}"
                continue
            yield from (f"{name}: {each.line}" for each in outcomes if each.verdict != HELD)

    def print_at_exit(self) -> None:
        """Print the counts as the last lines of this process, however it ends."""
        me = os.getpid()
        # A process that Snakemake forks inherits this, and is not the run.
        atexit.register(lambda: self._print() if os.getpid() == me else None)

    def _outcomes(self) -> list[ExperimentOutcome]:
        found = (outcome(self.results, name) for name in self.experiments)
        return [each for each in found if each is not None]

    def _print(self) -> None:
        found = self._outcomes()
        lines = [f"{each.line}{self._page(each)}" for each in found]
        if len(found) > 1:
            lines.append(_total(found).line)
        if ends_jobs():
            lines.append(f"weft: {RESUMES}")
        if lines:
            print("\n".join(lines), file=sys.stderr, flush=True)

    def _page(self, found: ExperimentOutcome) -> str:
        page = self.reports.page(found.experiment)
        if not page.is_file():
            return ""
        stamp = Results(self.results).experiment(found.experiment).stamp
        current = stamp.is_file() and stamp.stat().st_mtime_ns <= page.stat().st_mtime_ns
        return f"; report{'' if current else ' of an earlier run'}: {_opened(page)}"


def _opened(page: Path) -> Path:
    """The page as a person finds it: where experiments lie outside the clone, in their folder."""
    folder = page.absolute().parent
    if folder.is_symlink():
        # An absolute one keeps the links in it, as the user wrote them.
        target = folder.readlink()
        folder = target if target.is_absolute() else folder.resolve()
    return folder / page.name


def outcome(results: Path, experiment: str) -> ExperimentOutcome | None:
    """What the disk knows of an experiment's points; None where nothing is planned.

    The stamp of the collection counts them, unless a shard ended, or a plan was made, after it.
    """
    # What reads results imports DuckDB, which jobs do not need here.
    from weft.database import read_stamp

    folder = Results(results).experiment(experiment)
    try:
        stamp = folder.stamp
        written = stamp.stat().st_mtime_ns
        later = (path.stat().st_mtime_ns > written for path in _newer(folder))
        if not any(later):
            counts = read_stamp(folder)
            names = ("points", "done", "failed", "skipped", "flagged", "missing")
            return ExperimentOutcome(
                experiment, **{name: int(counts.get(name, 0)) for name in names}
            )
    except (OSError, ValueError, TypeError, AttributeError):
        pass
    return _counted(results, experiment)


def collection(
    points: str, results: Path, experiment: str, *, strict: bool, judges: bool = False
) -> str:
    """What a collection goes by: the digest of its `points`, and more after a refused outcome, and
    where the run `judges` expectations.

    Snakemake would otherwise find nothing to do, and a second run of failures would end well.
    """
    if not Results(results).experiment(experiment).stamp.exists():
        return points
    found = outcome(results, experiment)
    refused = judges or (found is not None and found.verdict(strict=strict))
    return f"{points} once more {time.time_ns()}" if refused else points


def _newer(folder: ExperimentFolder) -> Iterable[Path]:
    yield folder.plan
    yield from folder.path.glob(f"*/*/{STATUS}")


def _counted(results: Path, experiment: str) -> ExperimentOutcome | None:
    # Counting points imports what planning needs, and jobs do not need that.
    from weft.plan import read_plan, summarise
    from weft.progress import begun

    try:
        plan = read_plan(Results(results).experiment(experiment).plan)
        rows = summarise(plan, results)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    sums = {
        name: sum(getattr(row, name) for row in rows)
        for name in ("points", "cached", "failed", "skipped", "flagged", "new")
    }
    # What a stopped run finished is in the journals, and the next run keeps it.
    kept = begun(plan, results)
    return ExperimentOutcome(
        experiment,
        points=sums["points"],
        done=sums["cached"] + sums["flagged"] + kept["done"],
        failed=sums["failed"] + kept["failed"],
        skipped=sums["skipped"] + kept["skipped"],
        flagged=sums["flagged"],
        missing=sums["new"] - kept.total(),
    )


def _total(found: Sequence[ExperimentOutcome]) -> ExperimentOutcome:
    names = ("points", "done", "failed", "skipped", "flagged", "missing")
    sums = {name: sum(getattr(each, name) for each in found) for name in names}
    return ExperimentOutcome(f"{len(found)} experiments", **sums)
