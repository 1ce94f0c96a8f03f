"""Two sides of a comparison, of which one may be an archive or what earlier versions have left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from weft.archive.contents import ArchiveError
from weft.archive.read import OpenArchive, open_archive
from weft.database import collect
from weft.engines.shards import earlier_shards
from weft.files.layout import ExperimentFolder, Layout
from weft.plan import write_plan
from weft.plan.keep import kept_shards
from weft.plan.outcomes import Outcomes
from weft.plan.plan import Plan
from weft.plan.variant import base_name
from weft.prepare.plans.upgrades import newest_versions
from weft.read import Project, ReadError
from weft.report.compare.answer import Names, change_text, place_text, scaled_pair, sentences
from weft.report.compare.changes import Compared, Verdict, compared
from weft.report.compare.differences import settings_differences
from weft.report.compare.new_fits import new_fit_sentences
from weft.report.compare.page import sense
from weft.report.data.metrics import Metrics
from weft.report.data.source import Study, open_study

_ARCHIVE = ".zip"


@dataclass(frozen=True, slots=True)
class ComparedReleases:
    """What was found, what both sides are called, and sentences about the whole."""

    found: Compared
    called: Names
    metrics: Metrics
    about: Sequence[str]


def comparison(project: Project, old: str, new: str | None) -> ComparedReleases:
    """Compare experiments or archives; without `new`, earlier versions' results with those of now.

    Raises ReadError where a side has no results, or none that this weft can read.
    """
    try:
        with ExitStack() as opened:
            if new is None:
                called = Names("before", "now")
                b = opened.enter_context(_here(project, old))
                a = opened.enter_context(_before(project, b.plan))
            else:
                called = Names(old, new)
                a, b = (
                    opened.enter_context(_side(project, name, other))
                    for name, other in ((old, new), (new, old))
                )
            found = compared(a, b)
            differing = settings_differences(a, b)
            fits = new_fit_sentences(a, b, found)
            about = [
                *_versions(a.plan, b.plan),
                *sentences(found, differing, a.metrics, called, fits),
            ]
            return ComparedReleases(found, called, a.metrics, about)
    except ValueError as error:
        # Of an archive, of damaged results, and of a plan of a release that is too old.
        raise ReadError(str(error)) from error


def comparison_lines(compared: ComparedReleases, rows: int) -> Iterator[str]:
    """Sentences about the whole, then by metric what moved and what did not."""
    found, metrics = compared.found, compared.metrics
    yield from compared.about
    left = rows
    for metric in dict.fromkeys(pair.metric for pair in found.pairs):
        mine = [pair for pair in found.pairs if pair.metric == metric]
        moved = [pair for pair in found.changes if pair.metric == metric]
        stayed = [pair for pair in mine if pair.verdict == Verdict.SAME]
        yield f"{metrics[metric].label}: {len(moved):,} moved, {len(stayed):,} did not"
        for pair in moved[:left]:
            a, b = scaled_pair(pair, metrics[metric].unit)
            judged = sense(pair, metrics[metric].direction)
            notes = ", ".join(filter(None, [change_text(pair.a, pair.b), judged]))
            where = place_text(pair, found.distinguishing)
            yield f"  {where.removeprefix('for ')}: {a} → {b} ({notes})"
        if len(moved) > left:
            yield f"  and {len(moved) - left:,} more: --csv FILE writes all, --rows prints more"
        left = max(0, left - len(moved))


def _versions(a: Plan, b: Plan) -> Iterator[str]:
    sides = [{shard.engine: shard.engine_version for shard in plan.shards} for plan in (a, b)]
    for name in sides[0]:
        before, now = sides[0][name], sides[1].get(name)
        if now == before:
            yield f"{name} has the same version in both: {now}."
        elif now:
            yield f"{name} {before} → {now}."


@contextmanager
def _side(project: Project, name: str, other: str) -> Iterator[Study]:
    if not name.endswith(_ARCHIVE):
        with _here(project, name) as study:
            yield study
        return
    with open_archive(Path(name)) as archive, TemporaryDirectory() as folder:
        layout, experiment = Layout(Path(folder)), _held(archive, other)
        _unpack(archive, layout)
        with _collected(layout.results.experiment(experiment), project.configs) as study:
            yield study


def _held(archive: OpenArchive, other: str) -> str:
    """The experiment of the archive that is compared with the `other` side."""
    names = archive.head.experiments
    if other.endswith(_ARCHIVE):
        with open_archive(Path(other)) as opened:
            wanted = {base_name(each) for each in opened.head.experiments}
    else:
        wanted = {base_name(other)}
    alike = [each for each in names if each == other] or [
        each for each in names if base_name(each) in wanted
    ]
    if len(alike) == 1:
        return alike[0]
    raise ArchiveError(f"{archive.path} holds {', '.join(names)}: name one of them beside it")


def _unpack(archive: OpenArchive, layout: Layout) -> None:
    for name in archive.below(layout.results.path.name):
        path = layout.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(archive.content(name))


@contextmanager
def _here(project: Project, name: str) -> Iterator[Study]:
    """What the database holds of an experiment."""
    path = project.plan(name)
    with project.connect():
        pass
    with open_study(path, project.database, project.configs) as study:
        if not study.answered:
            raise ReadError(f"'{name}' has no answers: {project.run_command(name)} runs it")
        yield study


@contextmanager
def _before(project: Project, plan: Plan) -> Iterator[Study]:
    """What earlier versions answered of the points of a plan, the newest of each engine."""
    results = project.layout.results
    mine = results.experiment(plan.experiment)
    versions = newest_versions(plan, mine)
    engines = plan.points.column("engine").to_pylist()
    wanted = plan.points.take(np.array([each in versions for each in engines], bool))
    look_up = earlier_shards(results.path, plan.experiment, versions)
    outcomes = Outcomes(mine.path)
    shards, held = kept_shards(wanted, versions, outcomes, (), look_up)
    shards = tuple(each for each in shards if outcomes(each) is not None)
    if not shards:
        raise ReadError(
            f"no earlier version has left results of '{plan.experiment}' here: give an archive of"
            f" an earlier release, weft compare OLD.zip {plan.experiment}"
        )
    with TemporaryDirectory() as folder:
        copy = Layout(Path(folder)).results.experiment(plan.experiment)
        for shard in shards:
            source, target = (each.shard(shard.engine, shard.shard_id) for each in (mine, copy))
            target.path.parent.mkdir(parents=True, exist_ok=True)
            target.path.symlink_to(source.path.absolute())
        for path in (mine.calibration, mine.placement, mine.order("x").parent):
            if path.exists():
                (copy.path / path.name).symlink_to(path.absolute())
        write_plan(replace(plan, points=wanted.take(held), shards=shards), copy.plan)
        with _collected(copy, project.configs) as study:
            yield study


@contextmanager
def _collected(folder: ExperimentFolder, configs: Path) -> Iterator[Study]:
    """An experiment in a folder of its own, in a database of its own."""
    results = folder.results
    collect(folder.name, results.path, configs / "paper", results.database)
    with open_study(folder.plan, results.database, configs) as study:
        yield study
