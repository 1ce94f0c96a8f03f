"""`weft applications DIR`: runs every program of a folder, and asks its own verification."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from weft.command.application_table import KeptTable, Ran
from weft.config import ConfigErrors, Experiment, load_experiments
from weft.config.compose.composition import experiment_files
from weft.config.language.errors import nearest
from weft.config.model.program_files import ProgramFiles
from weft.engines import engine
from weft.engines.base import EngineError, ShardJob
from weft.engines.built_programs import with_built_programs
from weft.engines.computing import with_computing
from weft.engines.graphs import prepare_graphs
from weft.engines.journal import read_journal
from weft.engines.order import OrderHead, ShardOrder
from weft.engines.shards import SHARD_SCHEMA, completed, point_texts, resolve
from weft.engines.traces import prepare_traces
from weft.files.layout import JOURNAL, ExperimentFolder
from weft.machine import MachineFile
from weft.plan import expand
from weft.plan.model import short_digest
from weft.read.errors import ReadError
from weft.read.project import Project

#: The environment variable that names a folder for what programs write.
KEPT = "WEFT_PROGRAM_FILES"
#: What is read of each file that a program has written.
_MOST_BYTES = 1 << 20
_LONGEST_LINE = 200


@dataclass(frozen=True)
class WantedRuns:
    """Which points of which experiments to run: of all if nothing is said."""

    #: With * and ? as in a shell.
    names: Sequence[str] = ()
    overrides: Sequence[str] = ()
    engines: Sequence[str] = ()


def applications(
    project: Project, request: WantedRuns, kept: KeptTable, begin: Callable[[str], None]
) -> Iterator[Ran]:
    """Run experiments of the project's own folder, point by point.

    Points that are good in `kept` do not run again. `begin` is called with what runs next. The
    working folder becomes that of the project. Raises ReadError when there is no experiment.
    """
    names = _named(project, request.names)
    os.chdir(project.root)
    for name in names:
        try:
            [experiment] = load_experiments(
                project.configs, [name], {name: list(request.overrides)}, project.search_path
            )
        except ConfigErrors as error:
            yield Ran(name, error="; ".join(str(error).splitlines()))
            continue
        with TemporaryDirectory(prefix="weft-applications-") as folder:
            # Of all engines, what programs compute is measured once.
            shared = ExperimentFolder(Path(folder) / name)
            points = [json.loads(text) for text in point_texts(expand(experiment))]
            keys = {_key(experiment, point): point for point in points}
            kept.keep(name, keys)
            for key, point in keys.items():
                if request.engines and point["engine"] not in request.engines:
                    continue
                ran = kept.good(key)
                if ran is None:
                    begin(f"{name} on {point['engine']}, {point['workload']['ranks']} ranks")
                    ran = _timed(experiment, point, shared)
                    kept.add(key, ran)
                yield ran


def _named(project: Project, patterns: Sequence[str]) -> list[str]:
    names = sorted(experiment_files(*project.search_path))
    if not names:
        raise ReadError(f"there is no application: {project.own}/experiment has no .yaml")
    for each in patterns:
        if not fnmatch.filter(names, each):
            raise ReadError(f"no application is called {each}{nearest(each, names)}")
    return [
        name for name in names if not patterns or any(fnmatch.fnmatch(name, p) for p in patterns)
    ]


def _key(experiment: Experiment, point: Mapping[str, object]) -> str:
    """Of the point, of weft's sources, and of what the program's verification is known by."""
    program = _program(experiment)
    version = engine(str(point["engine"])).version(experiment.machine, None)
    lines = [program.passes, program.fails] if program else []
    return short_digest([point["point_id"], version, lines])


def _timed(experiment: Experiment, point: Mapping[str, object], shared: ExperimentFolder) -> Ran:
    began = time.monotonic()
    with TemporaryDirectory(prefix="weft-application-") as folder:
        try:
            ran = _run(experiment, point, Path(folder), shared)
        except EngineError as error:
            reason = str(error).splitlines()[0]
            ran = Ran(experiment.name, str(point["engine"]), _ranks(point), error=reason)
    return replace(ran, took_s=time.monotonic() - began)


def _ranks(point: Mapping[str, object]) -> int:
    return int(cast("Mapping[str, int]", point["workload"])["ranks"])


def _run(
    experiment: Experiment, point: Mapping[str, object], folder: Path, shared: ExperimentFolder
) -> Ran:
    name, point_id = str(point["engine"]), str(point["point_id"])
    used = engine(name)
    head: OrderHead = {
        "schema": SHARD_SCHEMA,
        "engine": name,
        "engine_version": used.version(experiment.machine, None),
        "shard": point_id,
        "attempts": {},
    }
    order = {**completed(head, experiment.machine, {}), "points": [point]}
    resolved = resolve(cast("ShardOrder", order), None)
    machine = MachineFile.read(resolved.pop("machine", {}))
    shard_file, log = folder / "input.json", folder / "log"
    log.touch()
    os.environ[KEPT] = str(folder / "files")
    job = ShardJob(resolved, shard_file, folder, 1, log, None, machine)
    if used.kind != "hardware":
        job = with_computing(with_built_programs(job).job, job.shard["points"], shared).job
    if job.shard["points"]:
        shard_file.write_text(json.dumps(prepare_graphs(prepare_traces(job.shard, folder), folder)))
        used.run(job)
    [line] = read_journal(folder / JOURNAL)
    ranks = _ranks(point)
    if line["status"] != "done":
        return Ran(experiment.name, name, ranks, error=str(line["error"]))
    metrics = {each["metric"]: each["value"] for each in line["metrics"]}
    program, shown = _program(experiment), _shown(log, folder / "files" / point_id)
    refuted = _refuted(program, shown) if program else ""
    verified = not refuted if program and (program.passes or program.fails) else None
    time_s = metrics.get("program_time_s")
    return Ran(experiment.name, name, ranks, verified, time_s, refuted=refuted)


def _program(experiment: Experiment) -> ProgramFiles | None:
    found = next(iter(experiment.bases.values()))["workload"].get("program")
    return ProgramFiles.model_validate(found) if isinstance(found, Mapping) else None


def _shown(log: Path, files: Path) -> str:
    """What the program has printed and written, without weft's and compilers' own lines.

    A measurement keeps what was printed among the files.
    """
    printed = re.findall(r"^point \w+: (.*)$", log.read_text(errors="replace"), re.MULTILINE)
    texts = ["\n".join(printed)]
    for path in sorted(files.rglob("*")) if files.is_dir() else ():
        if path.is_file():
            with path.open(errors="replace") as file:
                texts.append(file.read(_MOST_BYTES))
    return "\n".join(texts)


def _refuted(program: ProgramFiles, shown: str) -> str:
    """Why the program's own verification has not passed; empty if it has."""
    # What the program itself says of a failure explains more than a line that is missing.
    for each in program.fails:
        if found := re.search(each, shown, re.MULTILINE):
            begin = shown.rfind("\n", 0, found.start()) + 1
            line = shown[begin:].partition("\n")[0].strip()
            return f"a line matches fails: {line[:_LONGEST_LINE]}"
    for each in program.passes:
        if not re.search(each, shown, re.MULTILINE):
            return f"no line matches passes: {each}"
    return ""
