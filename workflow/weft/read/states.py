"""The experiments of a project, and how far each one is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from weft.config.compose.composition import group_choices
from weft.config.compose.experiment_list import listed
from weft.config.language.errors import ConfigErrors, unknown
from weft.config.load.quick_look import Glimpse, glimpses
from weft.read.errors import ReadError
from weft.read.project import Project


@dataclass(frozen=True, slots=True)
class ExperimentState:
    """One experiment file and what the database holds of it.

    Counts are of points; `cpu_s` is what the last attempts took together. `problem` is the first
    mistake of a file that cannot be used; title to paper are then known only if its points alone
    show the mistake.
    """

    name: str
    title: str = ""
    question: str = ""
    engines: tuple[str, ...] = ()
    topologies: tuple[str, ...] = ()
    paper: str | None = None
    points: int = 0
    done: int = 0
    failed: int = 0
    skipped: int = 0
    missing: int = 0
    cpu_s: float = 0.0
    last_run: datetime | None = None
    problem: str | None = None
    #: Its points are too many to be checked in a list.
    unchecked: bool = False

    @property
    def state(self) -> str:
        """`done`, `new`, or what is amiss, in a word or two."""
        if self.problem:
            return "broken"
        if not self.points:
            return "new, points unchecked" if self.unchecked else "new"
        amiss = {name: getattr(self, name) for name in ("failed", "skipped", "missing")}
        found = [f"{count:,} {name}" for name, count in amiss.items() if count]
        return ", ".join(found) or "done"


def experiments(
    project: Project | Path | str | None = None, machine: str | None = None
) -> list[ExperimentState]:
    """Every experiment of the project, by name. A file with a mistake hinders no other one.

    A look finds the mistakes, also those of points unless they are very many; what was found is
    kept by content. `machine` names the file of the machine that experiments are judged by, the
    local one unless given. Raises ReadError where there is no such file.
    """
    place = project if isinstance(project, Project) else Project.find(project)
    collected = _collected(place)
    listing = listed(place.configs, *place.search_path)
    try:
        found = glimpses(place.configs, place.search_path, _named(place, machine))
    except ConfigErrors as error:
        # In what all experiments share: none of them can be used.
        found = dict.fromkeys(listing.files, Glimpse(mistakes=tuple(error.errors)))
    states = {
        name: _state(name, glimpse, collected.get(name, (0, 0, 0, 0, 0, 0.0, None)))
        for name, glimpse in found.items()
    }
    # Files with names that no experiment can have: their authors look for them in this list.
    for name, mistake in listing.wrong.items():
        states.setdefault(name, ExperimentState(name, problem=str(mistake)))
    return [states[name] for name in sorted(states)]


def _named(place: Project, machine: str | None) -> tuple[str, ...]:
    """The override that names a machine."""
    if machine is None:
        return ()
    choices = group_choices((place.configs, *place.search_path), "machine")
    if machine not in choices:
        raise ReadError(unknown("machine", machine, choices))
    return (f"machine={machine}",)


_Counts = tuple[int, int, int, int, int, float, datetime | None]


def _collected(project: Project) -> dict[str, _Counts]:
    try:
        with project.connect() as connection:
            rows = connection.execute(
                "SELECT p.experiment, count(*), count(*) FILTER (status = 'done'),"
                " count(*) FILTER (status = 'failed'), count(*) FILTER (status = 'skipped'),"
                " count(*) FILTER (status IS NULL), coalesce(sum(cpu_s), 0),"
                " max(CAST(started_at AS TIMESTAMP))"
                " FROM points AS p LEFT JOIN last_runs AS r USING (experiment, point_id)"
                " GROUP BY ALL"
            ).fetchall()
    except ReadError:
        return {}
    return {str(name): tuple(counts) for name, *counts in rows}


def _state(name: str, found: Glimpse, counts: _Counts) -> ExperimentState:
    points, done, failed, skipped, missing, cpu_s, last_run = counts
    return ExperimentState(
        name=name,
        title=found.title,
        question=found.question,
        engines=found.engines,
        topologies=found.topologies,
        paper=found.paper,
        points=points,
        done=done,
        failed=failed,
        skipped=skipped,
        missing=missing,
        cpu_s=cpu_s,
        last_run=last_run,
        problem=str(found.mistakes[0]) if found.mistakes else None,
        unchecked=found.unchecked,
    )
