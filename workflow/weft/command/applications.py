"""`weft applications DIR`: runs every program of a folder, and asks its own verification."""

from __future__ import annotations

import fnmatch
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from multiprocessing import get_context, parent_process
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import psutil

from weft.command.application_run import ApplicationPoint, run_application
from weft.command.application_table import KeptTable, Ran
from weft.config import ConfigErrors, Experiment, load_experiments
from weft.config.compose.composition import experiment_files
from weft.config.language.errors import nearest
from weft.config.model.program_files import ProgramFiles
from weft.engines import engine
from weft.engines.shards import point_texts
from weft.files.layout import ExperimentFolder
from weft.plan import expand
from weft.plan.model import short_digest
from weft.read.errors import ReadError
from weft.read.project import Project


@dataclass(frozen=True)
class WantedRuns:
    """Which points of which experiments to run, of all if nothing is said, and how."""

    #: With * and ? as in a shell.
    names: Sequence[str] = ()
    overrides: Sequence[str] = ()
    engines: Sequence[str] = ()
    #: Simulated points that run at once.
    jobs: int = 1
    #: Folder for the logs of points that do not run as they should.
    logs: Path | None = None


#: A point and its key in the table, or the line of what needs no run.
_Found = tuple[str, ApplicationPoint] | Ran
_Ended = tuple[str, Ran]


def named(project: Project, patterns: Sequence[str]) -> list[str]:
    """The applications that the patterns choose.

    Raises ReadError when there is none, or a pattern fits none.
    """
    names = sorted(experiment_files(*project.search_path))
    if not names:
        raise ReadError(f"there is no application: {project.own}/experiment has no .yaml")
    for each in patterns:
        if not fnmatch.filter(names, each):
            raise ReadError(f"no application is called {each}{nearest(each, names)}")
    return [
        name for name in names if not patterns or any(fnmatch.fnmatch(name, p) for p in patterns)
    ]


def applications(
    project: Project,
    names: Sequence[str],
    request: WantedRuns,
    kept: KeptTable,
    begin: Callable[[str], None],
) -> Iterator[Ran]:
    """Run the applications `names` of the project's own folder, point by point.

    What measures this machine runs last and alone. Points that are good in `kept` do not run
    again. `begin` is called with what runs next. The working folder becomes that of the project.
    """
    os.chdir(project.root)
    alone: list[_Found] = []

    def together(folder: Path) -> Iterator[_Found]:
        for found in _found(project, names, request, kept, folder):
            if request.jobs > 1 and not isinstance(found, Ran) and found[1].measures:
                alone.append(found)
            else:
                yield found

    with TemporaryDirectory(prefix="weft-applications-") as folder:
        turns = _one_by_one if request.jobs == 1 else partial(_at_once, jobs=request.jobs)
        for key, ran in chain(turns(together(Path(folder)), begin), _one_by_one(alone, begin)):
            if key:
                kept.add(key, ran)
            yield ran


def _found(
    project: Project, names: Sequence[str], request: WantedRuns, kept: KeptTable, folder: Path
) -> Iterator[_Found]:
    """The points that the request asks for; experiments are read when their turn comes."""
    for name in names:
        try:
            [experiment] = load_experiments(
                project.configs, [name], {name: list(request.overrides)}, project.search_path
            )
        except ConfigErrors as error:
            yield Ran(name, error="; ".join(str(error).splitlines()))
            continue
        # Of all engines, what programs compute is measured once.
        shared = ExperimentFolder(folder / name)
        program = _program(experiment)
        passes, fails = (program.passes, program.fails) if program else ((), ())
        every = [json.loads(text) for text in point_texts(expand(experiment))]
        points = [each for each in every if "ranks" in each["workload"]]
        if len(points) < len(every):
            yield Ran(name, error="its workload is no program, so there is nothing to verify")
        if not points:
            continue
        asked = [
            ApplicationPoint(name, each, experiment.machine, passes, fails, shared, request.logs)
            for each in points
        ]
        keys = {_key(each): each for each in asked}
        kept.keep(name, keys)
        for key, each in keys.items():
            if not request.engines or each.engine in request.engines:
                yield kept.good(key) or (key, each)


def _one_by_one(all_found: Iterable[_Found], begin: Callable[[str], None]) -> Iterator[_Ended]:
    for found in all_found:
        if isinstance(found, Ran):
            yield "", found
            continue
        key, asked = found
        begin(str(asked))
        yield key, run_application(asked)


def _at_once(
    all_found: Iterable[_Found], begin: Callable[[str], None], jobs: int
) -> Iterator[_Ended]:
    """In the order in which they end. A process each, because what runs has its environment."""
    running: dict[Future[Ran], str] = {}

    def ended(most: int) -> Iterator[_Ended]:
        while len(running) > most:
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()

    with ProcessPoolExecutor(jobs, get_context("fork"), _end_with_parent) as processes:
        for found in all_found:
            if isinstance(found, Ran):
                yield "", found
                continue
            yield from ended(jobs - 1)
            key, asked = found
            begin(str(asked))
            running[processes.submit(run_application, asked)] = key
        yield from ended(0)


def _end_with_parent() -> None:
    """Let this process and its simulator end when the command is killed."""
    if (parent := parent_process()) is None:
        return

    def watch() -> None:
        parent.join()
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                child.kill()
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _key(asked: ApplicationPoint) -> str:
    """Of the point, of weft's sources, and of what the program's verification is known by."""
    version = engine(asked.engine).version(asked.machine, None)
    return short_digest([asked.point["point_id"], version, [asked.passes, asked.fails]])


def _program(experiment: Experiment) -> ProgramFiles | None:
    found = next(iter(experiment.bases.values())).get("workload", {}).get("program")
    return ProgramFiles.model_validate(found) if isinstance(found, Mapping) else None
