"""The compilers of a build are those of the MPI that measures the program."""

import shutil
from pathlib import Path

import pytest
from weft.engines.hardware.build import build_program
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.source import program_of

from tests.containers_support import missing
from tests.programs.test_own_build import RING, build_of

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]


def test_a_measured_program_is_not_built_by_the_compiler_of_simulators(tmp_path: Path) -> None:
    shutil.copytree(RING, tmp_path / "configs" / "experiment" / "ring")
    mpicc = tmp_path / "mpi" / "mpicc"
    mpicc.parent.mkdir()
    mpicc.symlink_to(shutil.which("mpicc") or missing("mpicc is not installed"))
    build = build_of(tmp_path, {"command": ["mpif77", "-c", "ring.f"]})
    point = {"workload": {"program": "ring", "build": build}}
    with pytest.raises(MeasurementError, match=r"weft-fc: there is no Fortran compiler .*mpifort"):
        build_program(program_of(point, tmp_path), SOURCES, mpicc)  # type: ignore[arg-type]
