"""A reader's clone: every tracked file, the environment, and simulators that are built."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pytest

from tests.busy_machine import measures_patiently
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
PROBE = """title: A probe
question: Does it run?
defaults:
  - override /topology: crossbar
  - override /workload: uniform
engines: [flow]
topology: {nodes: 4}
figures:
  - table: {x: engine, y: makespan_s}
"""
#: How often the quickstart is measured at most, where all processors are busy.
MEASUREMENTS = 5
#: What a simulator reads from standard input.
POINT = """{"engine": "flow", "seed": 1, "topology": {"kind": "mesh", "sizes": [4, 4], "nodes": 16},
"network": {"bandwidth_bytes_per_s": 125e6, "latency_s": 0, "hop_latency_s": 0},
"options": {"model": "equal_share", "tables": []},
"workload": {"kind": "messages", "pattern": "uniform", "per_node": 1, "outstanding": 1,
"message_bytes": [125], "include_self": false}}"""
#: The MPI programs that the documents have a reader begin with, by their paths in the clone.
PROGRAMS = {
    **dict.fromkeys(
        ("heat.c", "ring.c", "waves/main.c", "hydro/main.c"),
        "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); MPI_Finalize(); }\n",
    ),
    "hydro/Makefile": "bin/hydro: main.c\n\tmkdir -p bin && $(CC) -o $@ $<\n",
}
#: What an engine computes.
SHARD = {
    **{"schema": 1, "engine": "flow", "engine_version": "1", "shard": "1"},
    "points": [{**json.loads(POINT), "point_id": "1" * 12, "digest": "1" * 12}],
}


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who types commands of the documents in a clone."""

    clone: Path
    home: Path
    #: What became of the lines that were typed once.
    typed: dict[str, subprocess.CompletedProcess[str]] = field(default_factory=dict)

    def types(self, line: str) -> subprocess.CompletedProcess[str]:
        """What the shell does with a line, the environment on its PATH."""
        environment = {
            **{key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
            "PATH": f"{self.clone / '.venv/bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(self.clone / "workflow"),
            "HOME": str(self.home),
            # Which cargo there is does not depend on whose home it is.
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(Path.home() / ".rustup")),
        }
        return subprocess.run(
            ["bash", "-ec", line], cwd=self.clone, env=environment, capture_output=True,
            text=True, timeout=2 * PATIENCE_S, check=False,
        )  # fmt: skip

    def needs(self, *lines: str) -> None:
        """Lines that others need; of a document's own it is known then whether it runs."""
        for line in lines:
            done = self.typed[line] = self.types(line)
            assert done.returncode == 0, done.stdout + done.stderr

    def runs(self, line: str) -> None:
        """A line ends well."""
        done = self.typed.get(line) or self.types(line)
        assert done.returncode == 0, done.stdout + done.stderr

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """What DuckDB answers."""
        with duckdb.connect(str(self.clone / "results/weft.duckdb"), read_only=True) as database:
            return database.execute(query).fetchall()


def measure_again(reader: Reader) -> None:
    """Measure until the ping-pong of the quickstart gives a fit, as weft says where others disturb
    it: here tests run beside it."""
    for _ in range(MEASUREMENTS):
        done = reader.types("weft calibrations quickstart")
        if done.returncode == 0:
            return
        again = re.search(r"retry_\w+=true", done.stderr)
        assert again, done.stderr
        reader.types(f"snakemake archives/quickstart.zip --config {again[0]}")
    assert done.returncode == 0, done.stderr


def _of_the_readme() -> str:
    """The experiment that the README has a reader write."""
    text = (ROOT / "README.md").read_text()
    return re.findall(r"^```yaml\n(title: Random permutations.*?)^```", text, re.M | re.S)[0]


@pytest.fixture(scope="module")
def new_clone(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """A clone in which nothing has run."""
    clone, home = tmp_path_factory.mktemp("clone"), tmp_path_factory.mktemp("home")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)  # `make` looks at dates
    measures_patiently(clone)
    (clone / ".venv").symlink_to(ROOT / ".venv")
    (clone / "simulators/target").symlink_to(ROOT / "simulators/target")
    for folder in (home / "interconnects/experiment", home / "mine/experiment"):
        folder.mkdir(parents=True)
    (home / "interconnects/experiment/probe.yaml").write_text(PROBE)
    (clone / "configs/experiment/permutations.yaml").write_text(_of_the_readme())
    for name, text in PROGRAMS.items():
        (clone / name).parent.mkdir(exist_ok=True)
        (clone / name).write_text(text)
    # What the documents ask a site to write.
    for name in ("mysite", "x"):
        profile = home / f".config/snakemake/{name}"
        profile.mkdir(parents=True)
        (profile / "config.yaml").write_text("jobs: 10\n")
        shutil.copy(clone / "configs/machine/slurm.yaml", clone / f"configs/machine/{name}.yaml")
    (clone / "point.json").write_text(POINT)
    (clone / "in.json").write_text(json.dumps(SHARD))
    (clone / "task").mkdir()
    (clone / "task/program.c").write_text("int main(void) { return 0; }\n")
    return Reader(clone, home)
