"""Simulators: executables `weft-<engine> run | describe`, of this project or of others."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import IO, Literal

from weft.engines.base import EngineError, ShardJob
from weft.engines.lifeline import ending_with_us
from weft.engines.memory import killed_by
from weft.engines.sandboxed import is_demanded, named_files, run_in_sandbox
from weft.engines.source_version import source_version
from weft.engines.step import NO_SPACE, QUOTA
from weft.files import alteration
from weft.files.layout import Layout
from weft.images import exec_command
from weft.images.check import described_version
from weft.machine import MachineFile

WORKSPACE = Path("simulators")
BINARIES = WORKSPACE / "target" / "release"
LAST_LINES = 15


class NativeEngine:
    """Runs `weft-<name>`: in an image, or the executable that its declaration names.

    `program` is `crate` (built from `simulators/<name>`), `command` (on the PATH) or `image` (in
    an image only). `WEFT_<NAME>` names another executable, for trying things out.
    """

    kind: Literal["simulator", "hardware"] = "simulator"

    def __init__(self, name: str, program: str, side_tables: tuple[str, ...]) -> None:
        self.name, self.program, self.side_tables = name, program, side_tables
        self.image: str | None = name
        self.command = f"weft-{name}"
        self.variable = f"WEFT_{name.upper()}"

    @property
    def binary(self) -> Path:
        """The executable outside of images; one that `make build` has built is still what it built.

        Raises EngineError with what to do when there is none, or a damaged one.
        """
        if self.variable in os.environ:
            hint = f"run `make build`, or unset {self.variable}"
            return self._existing(Path(os.environ[self.variable]), hint)
        if self.program == "crate":
            return self._built
        found = shutil.which(self.command) if self.program == "command" else None
        if found is None:
            lack = "is not on the PATH" if self.program == "command" else "is in its image only"
            raise EngineError(
                f"{self.command} {lack}: run it in the image of containers/{self.name}.def with "
                f"`--sdm apptainer`, or name an executable in {self.variable}"
            )
        return Path(found).absolute()

    @cached_property
    def _built(self) -> Path:
        found = self._existing(project() / BINARIES / self.command, "run `make build`")
        if what := alteration(found):
            raise EngineError(f"{found} {what}: run `make build`, which builds it again")
        return found

    def checked_binary(self) -> Path:
        """The executable outside of images, of the version that a plan made now names.

        Raises EngineError when it is missing or was built from other sources.
        """
        self._check_version(self.version(MachineFile(), None))
        return self.binary

    def check_ready(self, planned: str) -> None:
        """Raise EngineError when the executable outside of images is missing, or not the planned
        one; one that is named in the environment may be any."""
        if self.variable not in os.environ:
            self._check_version(planned)

    def _existing(self, place: Path, hint: str) -> Path:
        if os.access(place, os.X_OK) and place.is_file():
            return place.absolute()
        raise EngineError(f"the simulator {place} is missing: {hint}")

    def describe(self) -> Mapping[str, object]:
        """What `describe` of the executable prints: `name`, `version` and what it supports."""
        return self._description

    def version(self, machine: MachineFile, image: str | None) -> str:
        """The version: of a crate by its sources, wherever it runs; of others by the image or by
        `describe`.

        Raises EngineError when sources or executable are missing.
        """
        if self.program == "crate" and (image or self.variable not in os.environ):
            return source_version(self.name, project() / WORKSPACE)
        if image:
            return f"image+{Path(image).stem.rpartition('-')[2]}"
        return self._described_version()

    def _described_version(self) -> str:
        version = self.describe().get("version")
        if not isinstance(version, str) or not version:
            raise EngineError(f"`{self.binary} describe` prints no version")
        return version

    @cached_property
    def _description(self) -> Mapping[str, object]:
        command = [str(self.binary), "describe"]
        try:
            answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            description = json.loads(answer)
        except (OSError, subprocess.CalledProcessError, ValueError) as error:
            raise EngineError(f"`{self.binary} describe` does not work: {error}") from error
        if not isinstance(description, dict):
            raise EngineError(f"`{self.binary} describe` prints no JSON object")
        return description

    def run(self, job: ShardJob) -> None:
        """Run the executable on the job's shard; its standard error is the job's log.

        Raises EngineError when it breaks, or is not the one that the shard was planned for.
        """
        command = [*self._start(job), "run", "--shard", str(job.shard_file)]
        command += ["--out", str(job.directory), "--threads", str(job.threads)]
        code = _run(job, command)
        if code != 0:
            ending, lines = f"{self.command} {_ending(code)}", last_lines(job.log)
            # One message about a full disk is enough, and the log ends with it.
            full = any(reason in lines for reason in (NO_SPACE, QUOTA))
            raise EngineError(ending if full else f"{ending}\n{lines}")

    def _start(self, job: ShardJob) -> list[str]:
        if job.image:
            self._check_inside(job.image, job.shard["engine_version"])
            return [*exec_command(job.image, binds=outside(reached(job))), self.command]
        self.check_ready(job.shard["engine_version"])
        return [str(self.binary)]

    def _check_inside(self, image: Path, planned: str) -> None:
        """The same of an image; one of others has the version that its name says."""
        if self.program != "crate":
            return
        inside = described_version(image, self.command)
        if inside != planned:
            raise EngineError(
                f"{self.command} in {image} has version {inside}, the plan was made for {planned}: "
                "delete the image and run `snakemake containers`, then the same command again"
            )

    def _check_version(self, planned: str) -> None:
        """Raises EngineError when the executable is not the planned one."""
        here = self._described_version()
        if here == planned:
            return
        if self.program == "crate":
            raise EngineError(
                f"{self.binary} ({here}) was built from other sources than the plan's ({planned}): "
                "run `make build`, then the same command again"
            )
        raise EngineError(
            f"{self.binary} has version {here}, the plan was made for {planned}: "
            "run the same command again, or make all machines have the same"
        )


def compiling_simulator() -> Path:
    """The simulator whose commands `cc`, `c++` and `fc` are `weft-cc`, `weft-c++` and `weft-fc`.

    Raises EngineError when it is missing.
    """
    return NativeEngine("flow", "crate", ()).binary


def _run(job: ShardJob, command: list[str]) -> int:
    if is_demanded():
        return run_in_sandbox(job, command)
    with job.log.open("a") as log:
        return _run_in_image(command, log) if job.image else _run_here(command, log)


def _run_here(command: list[str], log: IO[str]) -> int:
    # Keeps the shard's lock (see weft.engines.execute), so that a simulator that outlives a killed
    # Snakemake still keeps a second one from the same journal.
    return subprocess.run(
        command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, close_fds=False, check=False
    ).returncode


def _run_in_image(command: list[str], log: IO[str]) -> int:
    # Apptainer starts a FUSE process that survives a kill. If it held the lock, no later run could
    # start. So this process keeps the lock, and the simulator ends with this process.
    with ending_with_us(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL) as process:
        return process.wait()


def project() -> Path:
    """The folder whose simulators are meant."""
    return Layout.here(f"{WORKSPACE}/Cargo.toml").root


def reached(job: ShardJob) -> Iterable[Path]:
    """What the simulator reads and writes; a message list lies beside the shard or the configs."""
    yield job.directory
    yield job.shard_file.parent
    for point in job.shard["points"]:
        # Links to other disks are followed.
        yield from (Path(file).resolve().parent for file in named_files(point))


def outside(paths: Iterable[Path]) -> list[Path]:
    """Folders beyond the working one, which an image sees anyway; links are followed."""
    here = Path.cwd().resolve()
    found = dict.fromkeys(path.resolve() for path in paths)
    return [path for path in found if not path.is_relative_to(here)]


def _ending(code: int) -> str:
    return killed_by(-code) if code < 0 else f"ended with exit code {code}"


def last_lines(log: Path, count: int = LAST_LINES) -> str:
    """The last `count` lines of `log`."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-count:])
