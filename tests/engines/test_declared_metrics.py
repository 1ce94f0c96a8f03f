"""The metrics that a declaration lists are those that the program says it has."""

import json
import subprocess
from pathlib import Path

import pytest
from weft.config.model.engine import declared_engines
from weft.tables.metrics import of_each_job

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma", "anet", "model"])
def test_declared_metrics_are_those_of_the_program(engine: str) -> None:
    program = ROOT / "simulators" / "target" / "release" / f"weft-{engine}"
    if not program.is_file():
        pytest.skip("make build")
    described = subprocess.run([program, "describe"], capture_output=True, text=True, check=True)
    declared = declared_engines(ROOT / "configs")[engine].metrics or {}
    names = {name for each in declared.values() for name in each}
    said = (each["name"] for each in json.loads(described.stdout)["metrics"])
    assert names == {name for each in said for name in of_each_job(each)}


def test_programs_of_weft_that_compute_are_known() -> None:
    """Of these alone, `rdma` says nothing of computing: they communicate, or use MGEN_Comp."""
    (omitted,) = (
        each
        for each in declared_engines(ROOT / "configs")["rdma"].capabilities.leaves_out
        if "computing takes no time" in each.text
    )
    shipped = {f"programs/{path.name}" for path in (ROOT / "programs").glob("*.c")}
    unlisted = {name for name in shipped if name not in str(omitted.when)}
    # They add numbers.
    assert unlisted == {"programs/allreduce.c", "programs/allreduce_recursive_doubling.c"}
