"""Memory that runs out is one sentence, with the step and what to do, and no traceback."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from weft.engines.step import step

#: Lowers the limit of its own process, then asks for more than that.
HUNGRY = """
import resource, sys
from pathlib import Path
from weft.engines.step import step
with step(Path(sys.argv[1])):
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    bytearray(1 << 30)
"""


def test_python_finds_no_memory(tmp_path: Path) -> None:
    log = tmp_path / "x" / "collect.log"
    command = [sys.executable, "-c", HUNGRY, str(log)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    (line,) = log.read_text().splitlines()
    assert line.startswith(f"no memory left in the step collect of {tmp_path / 'x'}; nothing that")
    assert "ulimit -v" in line


def test_duckdb_finds_no_memory(tmp_path: Path) -> None:
    log = tmp_path / "report.log"
    limits = {"memory_limit": "20MB", "temp_directory": ""}
    with pytest.raises(SystemExit), step(log), duckdb.connect(config=limits) as connection:
        connection.execute("SELECT list(i) FROM range(20_000_000) AS t(i)").fetchall()
    assert "no memory left in the step report" in log.read_text()


def test_a_mistake_of_the_program_keeps_its_traceback(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), step(tmp_path / "report.log"):
        1 / 0  # noqa: B018


@pytest.mark.slow
@pytest.mark.parametrize(
    ("starts", "limit_bytes", "said"),
    [
        ("weft.launch", 200_000_000, "0.2 GB"),
        # Imported before weft is asked; NumPy's library reserves addresses for each processor.
        ("snakemake", 1_000_000_000, "1.0 GB"),
    ],
)
def test_too_few_addresses_are_said_before_anything_runs(
    starts: str, limit_bytes: int, said: str
) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))

    done = subprocess.run(
        [sys.executable, "-m", starts, "-n", "reports/pingpong.html"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        timeout=120,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(
        f"weft: ulimit -v limits every process to {said}"
    )
    assert "Traceback" not in done.stderr
