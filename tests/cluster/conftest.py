"""A Slurm cluster for the session, and copies of the project that run on it."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.containers_support import built_image
from tests.missing import missing
from tests.parent import afterwards
from tests.patience import PATIENCE_S, wait_until

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("cluster")
BINARY = Path("simulators/target/release/weft-flow")
IMAGES = Path("containers/images")
NEEDED = ("slurmctld", "slurmd", "sbatch", "munged", "ip", "tc", "unshare", "nsenter")
#: Slurm is asked every 2 s.
OFTEN = tuple(
    word
    for name in ("init-seconds-before", "most-seconds-between")
    for word in (f"--weft-slurm-{name}-status-checks", "2")
)
#: Simulators from simulators/target, and MPI programs with the machine's MPI.
NATIVE = ("--sdm", "env-modules")


class Cluster:
    """The commands of `tests/cluster/cluster` on one state folder."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.environment = {**os.environ, "WEFT_CLUSTER": str(state)}

    def __call__(self, *arguments: str) -> str:
        """Run a command of the script; its output."""
        done = subprocess.run(
            [str(SCRIPT), *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, f"cluster {' '.join(arguments)}: {done.stdout}{done.stderr}"
        return done.stdout

    def jobs(self, states: str = "all") -> list[dict[str, str]]:
        """What squeue shows, ended jobs included."""
        fields = {
            "id": "%i",
            "state": "%T",
            "nodes": "%N",
            "cpus": "%C",
            "memory": "%m",
            "reason": "%r",
        }
        listed = self(
            "run",
            "squeue",
            "--noheader",
            f"--states={states}",
            "--format=" + "|".join(fields.values()),
        )
        return [dict(zip(fields, line.split("|"), strict=True)) for line in listed.splitlines()]

    def wait_for_idle_nodes(self, count: int) -> None:
        command = ("run", "sinfo", "--noheader", "--Node", "--states=idle", "--format=%N")
        wait_until(lambda: len(self(*command).split()) == count, f"{count} idle nodes")


class Project:
    """A copy of the whole project on the cluster's file system."""

    def __init__(self, folder: Path, cluster: Cluster) -> None:
        self.folder, self.cluster = folder, cluster
        self.started: list[subprocess.Popen[str]] = []
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        for name in (*listed.stdout.split("\0"), str(BINARY)):
            if name and os.path.lexists(ROOT / name):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
        self.environment = {
            **cluster.environment,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(folder / "workflow"),
        }

    def take_images(self, *names: str) -> None:
        """The images of this checkout, built where they are missing; or the test is skipped."""
        for name in names:
            built_image(name)
        (self.folder / IMAGES).mkdir(exist_ok=True)
        for path in (ROOT / IMAGES).glob("*.*"):
            if not (self.folder / IMAGES / path.name).exists():
                os.link(path, self.folder / IMAGES / path.name)

    def write(self, name: str, text: str) -> None:
        (self.folder / "configs" / "experiment" / f"{name}.yaml").write_text(text)

    def start(self, *command: str, **environment: str) -> subprocess.Popen[str]:
        """A command on the login node, in a session of its own like one at a terminal."""
        process = subprocess.Popen(
            [str(SCRIPT), "run", *command],
            cwd=self.folder,
            env={**self.environment, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            # Where pytest runs in the background, SIGINT is ignored, and would be so here.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        self.started.append(process)
        return process

    def snakemake(self, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        return self.start("snakemake", "--profile", "slurm", *arguments, **environment)

    def finish(self, process: subprocess.Popen[str], seconds: float = PATIENCE_S) -> str:
        """What a command printed, once it has succeeded."""
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            interrupt(process, signal.SIGKILL)
            output, _ = process.communicate()
            pytest.fail(f"not done after {seconds} s:\n{output}\n{self.cluster('status')}")
        assert process.returncode == 0, output
        return output

    def local(self, *arguments: str) -> str:
        """The same on this machine, without Slurm."""
        command = [sys.executable, "-m", "snakemake", *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def computed(self, name: str) -> list[str]:
        """The digest of every computation that an engine finished, from whole journal lines."""
        return [line["digest"] for line in self._lines(name, "journal.jsonl")]

    def starts(self, name: str) -> list[dict[str, Any]]:
        """What the shards' jobs wrote about their starts and ends."""
        return self._lines(name, "jobs.jsonl")

    def wait_for_points(self, name: str, count: int) -> None:
        wait_until(lambda: len(self.computed(name)) >= count, f"{count} points of {name}")

    def _lines(self, name: str, file: str) -> list[dict[str, Any]]:
        paths = sorted((self.folder / "results" / name).glob(f"*/*/{file}"))
        lines = [line for path in paths for line in path.read_text().split("\n")[:-1]]
        return [json.loads(line) for line in lines if line]


def interrupt(process: subprocess.Popen[str], number: int) -> None:
    """Send a signal to everything that runs at the process's terminal."""
    os.killpg(process.pid, number)


def _missing() -> str:
    if os.geteuid() != 0:
        return "a cluster in namespaces needs root"
    absent = [name for name in NEEDED if shutil.which(name) is None]
    return f"not installed: {', '.join(absent)}" if absent else ""


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Login node and four nodes with four CPUs each."""
    if reason := _missing():
        missing(reason)
    found = Cluster(tmp_path_factory.mktemp("cluster") / "state")
    with afterwards([SCRIPT, "down"], found.environment):
        found("up", "--nodes", "4", "--cpus", "4", "--memory", "8000")
        yield found


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, cluster: Cluster) -> Iterator[Project]:
    """A copy for the tests of a file; what they leave running ends with them."""
    if not (ROOT / BINARY).exists():
        pytest.fail("the simulator is not built: run `make build`")
    found = Project(tmp_path_factory.mktemp("project"), cluster)
    yield found
    for process in found.started:
        if process.poll() is None:
            interrupt(process, signal.SIGKILL)
    cluster("run", "scancel", "--user=root")
    cluster.wait_for_idle_nodes(4)
