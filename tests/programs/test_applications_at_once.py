"""`weft applications --jobs`: several points at once, measured ones alone, and their logs."""

import subprocess
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.patience import wait_until
from tests.programs.simulator import ROOT
from tests.programs.test_applications import EXPERIMENT, SUM, run

pytestmark = pytest.mark.slow
WEFT = [ROOT / ".venv" / "bin" / "weft", "--project", ROOT, "applications"]
#: One more line with each run in the same folder.
COUNTING = r"""#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, runs = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        FILE *file = fopen("runs.txt", "a+");
        for (int c = fgetc(file); c != EOF; c = fgetc(file)) runs += c == '\n';
        fprintf(file, "run %d\n", runs);
        fclose(file);
    }
    MPI_Finalize();
    return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One application, which is simulated and measured, and which names none of its runs."""
    (tmp_path / "own").mkdir()
    (tmp_path / "experiment").mkdir()
    (tmp_path / "own" / "start.txt").write_text("10\n")
    write(tmp_path, SUM)
    return tmp_path


def write(folder: Path, source: str, engines: str = "flow, hardware") -> None:
    (folder / "own" / "sum.c").write_text(source)
    text = EXPERIMENT.replace("[flow]", f"[{engines}]").replace("PATTERNS", "name: sum")
    (folder / "experiment" / "sum.yaml").write_text(text)


def test_points_run_at_once_and_what_is_measured_last(folder: Path) -> None:
    write(folder, SUM, "hardware, flow, rdma")
    done = run(folder, "--jobs", "2")
    found = [line.split()[:4] for line in done.stdout.splitlines()[1:-1]]
    assert sorted(found[:-1]) == [["sum", each, "2", "yes"] for each in ("flow", "rdma")]
    assert found[-1] == ["sum", "hardware", "2", "yes"]
    assert (done.returncode, done.stderr) == (0, "")


def test_the_log_of_what_fails_stays_in_the_folder_that_is_named(folder: Path) -> None:
    write(folder, SUM.replace("start.txt", "other.txt").replace("return 3", 'return puts("I"), 3'))
    done = run(folder, "--logs", str(folder / "logs"))
    assert (done.returncode, done.stderr) == (1, "")
    kept = sorted((folder / "logs").iterdir())
    assert [path.name.rsplit("-", 1)[0] for path in kept] == ["sum-flow-2", "sum-hardware-2"]
    assert all(any(line.endswith("I") for line in p.read_text().splitlines()) for p in kept)


def test_no_log_stays_of_what_runs_as_it_should(folder: Path) -> None:
    assert run(folder, "--logs", str(folder / "logs"), "--engine", "flow").returncode == 0
    assert not (folder / "logs").exists()


def test_a_measured_application_runs_once_to_warm_up_and_once_more(folder: Path) -> None:
    (folder / "own" / "sum.c").write_text(COUNTING)
    patterns = "name: sum, passes: [run 2], fails: [run 3]"
    text = EXPERIMENT.replace("[flow]", "[hardware]").replace("PATTERNS", patterns)
    text = text.replace("engine: {flow: {payload: delivered}}\n", "")
    (folder / "experiment" / "sum.yaml").write_text(text)
    done = run(folder)
    assert done.stdout.splitlines()[1].split()[:5] == ["sum", "hardware", "2", "yes", "yes"]


def test_nothing_runs_on_when_the_command_is_killed(folder: Path) -> None:
    write(folder, SUM.replace("MPI_Finalize", "for (volatile int i = 0;;) i++; MPI_Finalize"))
    command = [*WEFT, folder, "--jobs", "2", "--engine", "flow"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        root = psutil.Process(process.pid)
        wait_until(lambda: any(p.name() == "weft-flow" for p in root.children(recursive=True)))
        started = root.children(recursive=True)
        process.kill()
    wait_until(lambda: not any(map(_runs, started)))


def _runs(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False
