"""The compilers of a build are those of the MPI that measures the program."""

import shutil
from pathlib import Path

import pytest
from weft.engines.hardware.build import build_program
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.site import read_site
from weft.engines.hardware.source import program_of
from weft.machine import MachineFile

from tests.missing import missing
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


def test_a_program_of_c_is_measured_without_fortran_where_its_project_has_some(
    tmp_path: Path,
) -> None:
    ring = tmp_path / "configs" / "experiment" / "ring"
    shutil.copytree(RING, ring)
    (ring / "unused.f90").write_text("program unused\nend program\n")
    mpicc = read_site(MachineFile()).mpicc
    assert mpicc is not None
    assert not mpicc.with_name("mpifort").exists()
    build = build_of(tmp_path)
    point = {"workload": {"program": "ring", "build": build}}
    runner, program = build_program(program_of(point, tmp_path), SOURCES, mpicc)  # type: ignore[arg-type]
    assert runner.is_file()
    assert program.is_file()


@pytest.mark.parametrize("compiler", ["weft-cc", "weft-c++", "weft-fc"])
def test_a_function_that_nothing_defines_is_missing_when_a_build_links(
    tmp_path: Path, compiler: str
) -> None:
    """`configure` asks so. A measured program is a shared object, which may lack functions."""
    if not (mpicc := shutil.which("mpicc.mpich")):
        missing("mpicc.mpich is not installed")
    ring = tmp_path / "configs" / "experiment" / "ring"
    shutil.copytree(RING, ring)
    asks = "conftest.f90" if compiler == "weft-fc" else "conftest.c"
    (ring / "conftest.c").write_text("char there(void);\nint main(void) { return there(); }\n")
    (ring / "conftest.f90").write_text("program asks\ncall there()\nend program\n")
    build = build_of(tmp_path, {"command": [compiler, asks, "-o", "asks"]})
    point = {"workload": {"program": "ring", "build": build}}
    with pytest.raises(MeasurementError, match="undefined reference to `there"):
        build_program(program_of(point, tmp_path), SOURCES, Path(mpicc))  # type: ignore[arg-type]
