"""`weft applications DIR`: runs every program of a folder, and asks its own verification."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from weft.config import ConfigErrors, Experiment, load_experiments
from weft.config.compose.composition import experiment_files
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
from weft.read.errors import ReadError
from weft.read.project import Project

#: The environment variable that names a folder for what programs write.
KEPT = "WEFT_PROGRAM_FILES"
#: What is read of each file that a program has written.
_MOST_BYTES = 1 << 20
_LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of one application on one engine; `verified` is None where nothing says it.

    `refuted` says why it is False.
    """

    application: str
    engine: str = ""
    ranks: int = 0
    verified: bool | None = None
    program_time_s: float | None = None
    took_s: float = 0.0
    error: str | None = None
    refuted: str = ""

    @property
    def is_good(self) -> bool:
        """Whether it ran, and its own verification, if it has one, has passed."""
        return self.error is None and self.verified is not False


def applications(
    project: Project, overrides: Sequence[str] = (), engines: Sequence[str] = ()
) -> Iterator[Ran]:
    """Run all experiments of the project's own folder, point by point.

    The working folder becomes that of the project. Raises ReadError when there is no experiment.
    """
    names = sorted(experiment_files(*project.search_path))
    if not names:
        raise ReadError(f"there is no application: {project.own}/experiment has no .yaml")
    os.chdir(project.root)
    for name in names:
        try:
            [experiment] = load_experiments(
                project.configs, [name], {name: list(overrides)}, project.search_path
            )
        except ConfigErrors as error:
            yield Ran(name, error="; ".join(str(error).splitlines()))
            continue
        with TemporaryDirectory(prefix="weft-applications-") as folder:
            # Of all engines, what programs compute is measured once.
            yield from _points(experiment, engines, ExperimentFolder(Path(folder) / name))


def _points(
    experiment: Experiment, engines: Sequence[str], shared: ExperimentFolder
) -> Iterator[Ran]:
    for text in point_texts(expand(experiment)):
        point = json.loads(text)
        if engines and point["engine"] not in engines:
            continue
        began = time.monotonic()
        with TemporaryDirectory(prefix="weft-application-") as folder:
            try:
                ran = _run(experiment, point, Path(folder), shared)
            except EngineError as error:
                ranks, reason = point["workload"]["ranks"], str(error).splitlines()[0]
                ran = Ran(experiment.name, point["engine"], ranks, error=reason)
        yield replace(ran, took_s=time.monotonic() - began)


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
    ranks = int(cast("Mapping[str, int]", point["workload"])["ranks"])
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
    for each in program.passes:
        if not re.search(each, shown, re.MULTILINE):
            return f"no line matches passes: {each}"
    for each in program.fails:
        if found := re.search(each, shown, re.MULTILINE):
            begin = shown.rfind("\n", 0, found.start()) + 1
            line = shown[begin:].partition("\n")[0].strip()
            return f"a line matches fails: {line[:_LONGEST_LINE]}"
    return ""


HEADINGS = (
    "application", "engine", "ranks", "ran", "verified", "time_s", "took_s", "what stops it",
)  # fmt: skip


def table_line(ran: Ran) -> str:
    """One line of the table."""
    words = {None: "-", True: "yes", False: "no"}
    time_s = "-" if ran.program_time_s is None else f"{ran.program_time_s:.6g}"
    cells = (
        ran.application, ran.engine or "-", str(ran.ranks or "-"),
        "no" if ran.error else "yes", words[ran.verified], time_s, f"{ran.took_s:.1f}",
        ran.error or ran.refuted,
    )  # fmt: skip
    return spaced(cells)


def spaced(cells: Sequence[str]) -> str:
    """Cells in columns, so that lines can be printed one by one."""
    widths = (20, 9, 6, 4, 9, 12, 8, 0)
    return " ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
