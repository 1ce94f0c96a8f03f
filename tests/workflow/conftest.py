"""A copy of the project in which real Snakemake runs."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from weft.database.whole import lock_path
from weft.files import open_lock, take_lock

from tests.patience import PATIENCE_S, wait_until

ROOT = Path(__file__).parents[2]
BINARY = ROOT / "simulators" / "target" / "release" / "weft-flow"
SNAKEMAKE = [sys.executable, "-m", "snakemake"]

EXPERIMENT = """
title: {title}
question: Does it run?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
topology: {{dimensions: 2}}
sweep:
  topology.k: {sizes}
"""


class Project:
    """A copy of the project: its files, and Snakemake in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in (
            *("Snakefile", "workflow", "profiles", "envs", "configs", "hardware", "programs"),
        ):
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, folder / name)
        shipped = folder / "configs" / "experiment"
        shutil.rmtree(shipped)
        shipped.mkdir()
        (folder / "configs" / "config.yaml").write_text(
            re.sub(
                r"^experiments:.*?(?=^\S|\Z)",
                "experiments: []\n",
                (ROOT / "configs" / "config.yaml").read_text(),
                flags=re.MULTILINE | re.DOTALL,
            )
        )
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(folder / "workflow"),
            "WEFT_FLOW": str(BINARY),
        }

    def write(self, name: str, text: str) -> Path:
        path = self.folder / "configs" / "experiment" / f"{name}.yaml"
        path.write_text(text)
        return path

    def small(self, name: str, sizes: object, title: str = "Small") -> Path:
        return self.write(name, EXPERIMENT.format(title=title, sizes=sizes))

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*SNAKEMAKE, *arguments],
            cwd=self.folder,
            env={**self.environment, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *arguments: str, **environment: str) -> "Outcome":
        process = self.start(*arguments, **environment)
        output, _ = process.communicate(timeout=PATIENCE_S)
        return Outcome(process.returncode, output)

    def collect(self, name: str, *arguments: str, **environment: str) -> "Outcome":
        return self.run(f"results/{name}/collected.json", *arguments, **environment)

    def stamp(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            (self.folder / "results" / name / "collected.json").read_text()
        )
        return found

    def journals(self, name: str) -> dict[Path, list[str]]:
        paths = (self.folder / "results" / name).glob("*/*/journal.jsonl")
        return {path: path.read_text().split("\n") for path in sorted(paths)}

    def computed(self, name: str) -> list[str]:
        """The digest of every computation that any engine ever finished."""
        lines = [line for journal in self.journals(name).values() for line in journal if line]
        return [json.loads(line)["digest"] for line in lines]

    def wait_for_lines(self, name: str, count: int) -> list[str]:
        """Whole journal lines, as soon as there are `count` of them."""

        def whole() -> list[str]:
            return [line for journal in self.journals(name).values() for line in journal[:-1]]

        wait_until(lambda: len(whole()) >= count, f"{count} points")
        return whole()

    def simulator_pids(self) -> list[int]:
        """The simulators that work on this copy."""
        return [pid for pid in _pids() if f"{self.folder}/results" in _shown(pid)]


class Outcome:
    """What Snakemake printed, its exit code, and how many jobs of each rule it planned."""

    def __init__(self, code: int, output: str) -> None:
        self.code, self.output = code, output

    @property
    def jobs(self) -> dict[str, int]:
        table = re.search(r"^-+ +-+\n(.*?)^total", self.output, re.MULTILINE | re.DOTALL)
        counts = [line.split() for line in table.group(1).splitlines()] if table else []
        # A rule that is called like a file gives another name to it and computes nothing.
        return {rule: int(count) for rule, count in counts if "/" not in rule}


@contextmanager
def collections_wait(results: Path) -> Iterator[None]:
    """Until the end of the block no run can collect, so that none of them ends."""
    results.mkdir(exist_ok=True)
    with open_lock(lock_path(results / "weft.duckdb")) as file:
        assert take_lock(file, wait=True)
        yield


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _shown(pid: int) -> str:
    """The process's program and working folder, empty if it is gone or another's."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if b"run" not in command or not command[0].endswith(b"weft-flow"):
            return ""
        folder = Path(f"/proc/{pid}/cwd").readlink()
        return " ".join(str(folder / part.decode()) for part in command)
    except OSError:
        return ""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project of each file's own: names and times of other files' experiments change nothing."""
    if not BINARY.exists():
        pytest.fail("the simulator is not built: run `make build`")
    return Project(tmp_path_factory.mktemp("project"))
