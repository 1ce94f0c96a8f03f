"""Running one point of an application, and asking the program's own verification."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from collections.abc import Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from weft.command.application_table import Ran
from weft.engines import engine
from weft.engines.base import EngineError, ShardJob
from weft.engines.built_programs import with_built_programs
from weft.engines.computing import with_computing
from weft.engines.graphs import prepare_graphs
from weft.engines.hardware.program import once
from weft.engines.journal import read_journal
from weft.engines.order import OrderHead, ResolvedPoint, ShardOrder
from weft.engines.shards import SHARD_SCHEMA, completed, resolve
from weft.engines.traces import prepare_traces
from weft.files.layout import JOURNAL, ExperimentFolder
from weft.machine import MachineFile
from weft.plan.model import needs_computing

#: The environment variable that names a folder for what programs write.
KEPT = "WEFT_PROGRAM_FILES"
#: What is read of each file that a program has written.
_MOST_BYTES = 1 << 20
_LONGEST_LINE = 200


@dataclass(frozen=True, slots=True)
class ApplicationPoint:
    """One point of an application, and how the program's own verification is known."""

    application: str
    point: ResolvedPoint
    machine: MachineFile
    #: Regular expressions for lines that the program prints or writes.
    passes: Sequence[str]
    fails: Sequence[str]
    #: What engines share, in a folder that lives as long as the command.
    shared: ExperimentFolder
    #: Where the log stays if the point does not run as it should.
    logs: Path | None

    @property
    def engine(self) -> str:
        """Name of the engine."""
        return self.point["engine"]

    @property
    def ranks(self) -> int:
        """Number of ranks."""
        return int(self.point["workload"]["ranks"])

    @property
    def is_measured(self) -> bool:
        """Whether the program runs on the machine itself."""
        return engine(self.engine).kind == "hardware"

    @property
    def measures(self) -> bool:
        """Whether it measures this machine, on which nothing else may run then."""
        return self.is_measured or needs_computing(self.point)

    def __str__(self) -> str:
        return f"{self.application} on {self.engine}, {self.ranks} ranks"

    @property
    def log_name(self) -> str:
        """Name of the file of its log."""
        return f"{self.application}-{self.engine}-{self.ranks}-{self.point['point_id']}.log"


def run_application(asked: ApplicationPoint) -> Ran:
    """Run the point. What engines print on the terminal goes to the log, too."""
    began = time.monotonic()
    with TemporaryDirectory(prefix="weft-application-") as name:
        folder = Path(name)
        log = folder / "log"
        with log.open("a") as said, redirect_stderr(said):
            try:
                ran = _run(asked, folder, log)
            except EngineError as error:
                said.write(f"{error}\n")
                reason = str(error).splitlines()[0]
                ran = Ran(asked.application, asked.engine, asked.ranks, error=reason)
        if asked.logs is not None and not ran.is_good:
            asked.logs.mkdir(parents=True, exist_ok=True)
            shutil.copy(log, asked.logs / asked.log_name)
    return replace(ran, took_s=time.monotonic() - began)


def _run(asked: ApplicationPoint, folder: Path, log: Path) -> Ran:
    used = engine(asked.engine)
    point = once(asked.point) if asked.is_measured else asked.point
    head: OrderHead = {
        "schema": SHARD_SCHEMA,
        "engine": asked.engine,
        "engine_version": used.version(asked.machine, None),
        "shard": point["point_id"],
        "attempts": {},
    }
    order = {**completed(head, asked.machine, {}), "points": [point]}
    resolved = resolve(cast("ShardOrder", order), None)
    machine = MachineFile.read(resolved.pop("machine", {}))
    shard_file = folder / "input.json"
    os.environ[KEPT] = str(folder / "files")
    job = ShardJob(resolved, shard_file, folder, 1, log, None, machine)
    if not asked.is_measured:
        job = with_computing(with_built_programs(job).job, job.shard["points"], asked.shared).job
    if job.shard["points"]:
        shard_file.write_text(json.dumps(prepare_graphs(prepare_traces(job.shard, folder), folder)))
        used.run(job)
    [line] = read_journal(folder / JOURNAL)
    ran = Ran(asked.application, asked.engine, asked.ranks)
    if line["status"] != "done":
        return replace(ran, error=_with_last_line(str(line["error"]), _printed(log)))
    metrics = {each["metric"]: each["value"] for each in line["metrics"]}
    refuted = _refuted(asked, _shown(log, folder / "files" / point["point_id"]))
    verified = not refuted if asked.passes or asked.fails else None
    time_s = metrics.get("program_time_s")
    return replace(ran, verified=verified, program_time_s=time_s, refuted=refuted)


def _shown(log: Path, files: Path) -> str:
    """What the program has printed and written, without weft's and compilers' own lines.

    A measurement keeps what was printed among the files.
    """
    texts = ["\n".join(_printed(log))]
    for path in sorted(files.rglob("*")) if files.is_dir() else ():
        if path.is_file():
            with path.open(errors="replace") as file:
                texts.append(file.read(_MOST_BYTES))
    return "\n".join(texts)


def _printed(log: Path) -> list[str]:
    """The lines that a simulated program has printed, without empty ones."""
    lines = re.findall(r"^point \w+: (.*)$", log.read_text(errors="replace"), re.MULTILINE)
    return [line for line in lines if line.strip()]


def _with_last_line(reason: str, printed: Sequence[str]) -> str:
    """The reason, and the program's last line unless that is the reason itself: of a build."""
    last = printed[-1].strip() if printed else ""
    if not last or last in reason:
        return reason
    return f"{reason}; it printed last: {last[:_LONGEST_LINE]}"


def _refuted(asked: ApplicationPoint, shown: str) -> str:
    """Why the program's own verification has not passed; empty if it has."""
    # What the program itself says of a failure explains more than a line that is missing.
    for each in asked.fails:
        if found := re.search(each, shown, re.MULTILINE):
            begin = shown.rfind("\n", 0, found.start()) + 1
            line = shown[begin:].partition("\n")[0].strip()
            return f"a line matches fails: {line[:_LONGEST_LINE]}"
    for each in asked.passes:
        if not re.search(each, shown, re.MULTILINE):
            return f"no line matches passes: {each}"
    return ""
