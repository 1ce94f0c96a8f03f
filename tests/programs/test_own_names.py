"""Programs as others write them: names of their own, getopt, threads, an exit at the end."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from weft.engines.hardware.engine import HardwareEngine

from tests.hardware.conftest import make_point
from tests.hardware.test_flavours import INSTALLED, need_tools
from tests.programs.simulator import simulated

HERE = Path(__file__).parent


@pytest.mark.parametrize("program", ["own_names", "own_names_mgen"])
def test_the_simulator_runs_them(program: str, tmp_path: Path) -> None:
    words = ("-n", "17", "-q")
    assert simulated(tmp_path, HERE / f"{program}.c", 3, arguments=words)["program_time_s"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("program", ["own_names", "own_names_mgen"])
@pytest.mark.parametrize("mpi", [name for name in INSTALLED if name != "system MPICH"])
def test_the_machine_runs_them_again_and_again(mpi: str, program: str, make_job: Callable) -> None:
    machine, _ = INSTALLED[mpi]
    need_tools(machine)
    point = make_point("p", [], program)
    point["workload"] |= {
        "source": str(HERE / f"{program}.c"),
        "message_bytes": None,
        "arguments": ["-n", "17", "-q"],
    }
    job = make_job([point], **machine)
    HardwareEngine().run(job)
    (line,) = map(json.loads, job.journal.read_text().splitlines())
    assert line["status"] == "done", (line["error"], line["log"])
