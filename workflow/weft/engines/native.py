"""Engines that are executables of this project: `weft-<engine> run | describe`."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

from weft.engines.base import EngineError, ShardJob

PROJECT = Path(__file__).resolve().parents[3]
BINARIES = Path("simulators/target/release")
LAST_LINES = 15


class NativeEngine:
    """Runs `weft-<name>`, found by `WEFT_<NAME>` or in the Cargo workspace's release folder."""

    name: ClassVar[str]
    kind: Literal["simulator", "hardware"] = "simulator"
    side_tables: tuple[str, ...] = ()

    @property
    def binary(self) -> Path:
        """The executable.

        Raises EngineError when it is not built.
        """
        variable = f"WEFT_{self.name.upper()}"
        if variable in os.environ:
            places = [Path(os.environ[variable])]
        else:
            places = [base / BINARIES / f"weft-{self.name}" for base in (Path.cwd(), PROJECT)]
        for place in places:
            if os.access(place, os.X_OK) and place.is_file():
                return place.absolute()
        raise EngineError(f"the simulator {places[0]} is missing: run `make build`")

    def describe(self) -> Mapping[str, Any]:
        """What the executable says about itself: `name`, `version` and what it supports."""
        return self._description

    def version(self, machine: Mapping[str, Any], image: str | None) -> str:
        """The version of the sources; where and in what it runs does not matter."""
        return str(self.describe()["version"])

    @cached_property
    def _description(self) -> Mapping[str, Any]:
        command = [str(self.binary), "describe"]
        try:
            answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            description: dict[str, Any] = json.loads(answer)
            return description
        except (OSError, subprocess.CalledProcessError, ValueError) as error:
            raise EngineError(f"`{self.binary} describe` does not work: {error}") from error

    def run(self, job: ShardJob) -> None:
        """Run the executable on the job's shard; its standard error is the job's log."""
        command = [str(self.binary), "run", "--shard", str(job.shard_file)]
        command += ["--out", str(job.directory), "--threads", str(job.threads)]
        with job.log.open("a") as log:
            # Keeps the shard's lock (see weft.engines.execute), so that a simulator that outlives
            # a killed Snakemake still keeps a second one from the same journal.
            process = subprocess.Popen(
                command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, close_fds=False
            )
            code = process.wait()
        if code != 0:
            raise EngineError(f"weft-{self.name} {_ending(code)}\n{last_lines(job.log)}")


def _ending(code: int) -> str:
    return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


def last_lines(log: Path, count: int = LAST_LINES) -> str:
    """The last `count` lines of `log`."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-count:])
