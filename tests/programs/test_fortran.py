"""Programs of Fortran: simulated and measured from the same sources, or built by a Makefile."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from weft.engines.hardware.build import build_program
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.source import program_of
from weft.engines.own_build import Compilers, built

from tests.missing import missing
from tests.programs.simulator import BINARIES, run_line, run_point
from tests.programs.test_several_files import MPIS, build_of, measured

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
HEAT = Path(__file__).parent / "heat"
#: The module comes second, so that weft has to change the order.
SOURCES_OF_HEAT = ["heat/main.f90", "heat/rod.F90"]
OF_HEAT = {"name": "heat", "sources": SOURCES_OF_HEAT, "defines": {"HOT": 100}}
OF_MAKEFILE = {
    "build": {"folder": "heat", "command": ["make", "FC=mpif90"], "executable": "heat"},
}
PRINTED = "heat: after 50 steps     3.902926"
WITH_FORTRAN = ["MPICH", "Open MPI"]
#: Files of a program whose beginning and end are in C.
OF_BOTH_LANGUAGES = {
    "main.c": """
#include <mpi.h>
#include <stdio.h>
void add_(int *rank, int *sum);
int main(int argc, char **argv) {
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    add_(&rank, &sum);
    if (rank == 0) printf("mixed: %d\\n", sum);
    MPI_Finalize();
    return 0;
}
""",
    "add.F90": """
subroutine add(rank, sum)
  use mpi
  integer :: rank, sum, error
  call MPI_Allreduce(rank + 20, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
end subroutine
""",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    if not shutil.which("gfortran"):
        missing("gfortran is not installed")
    shutil.copytree(HEAT, tmp_path / "configs" / "experiment" / "heat")
    return tmp_path


def printed(project: Path, build: dict[str, Any], engine: str) -> str:
    _, log = run_point(
        project, Path("heat"), 2, None, ("50",), engine=engine, build=build, stack_bytes=1 << 18
    )
    (line,) = (line for line in log.splitlines() if "heat: " in line)
    return line[line.index("heat: ") :]


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma", "anet"])
def test_a_program_of_fortran_is_simulated(project: Path, engine: str) -> None:
    build = build_of(project, **OF_HEAT)
    assert build["sources"] == [
        f"configs/experiment/heat/{name}" for name in ("rod.F90", "main.f90")
    ]
    assert (Path(build["files"][-1][0]).name, build["language"]) == ("sizes.inc", "fortran")
    assert printed(project, build, engine) == PRINTED


@pytest.mark.parametrize("mpi", WITH_FORTRAN)
def test_the_same_sources_are_measured_and_stop_ends_a_repetition(project: Path, mpi: str) -> None:
    times, said = measured(project, build_of(project, **OF_HEAT), MPIS[mpi], "50")
    assert len(times) == 3
    assert said == PRINTED


def test_a_makefile_builds_it_with_the_names_of_fortrans_compilers(project: Path) -> None:
    build = build_of(project, **OF_MAKEFILE)
    files = {path: (project / path).read_bytes() for path, _ in build["files"]}
    executable = built(build, files, Compilers(BINARIES / "weft-flow"), project / "cache", "run")  # type: ignore[arg-type]
    made = {"root": "", "files": [], "executable": [str(executable), None]}
    assert printed(project, made, "flow") == PRINTED


@pytest.mark.parametrize("mpi", WITH_FORTRAN)
def test_the_makefile_builds_it_for_a_measurement(project: Path, mpi: str) -> None:
    build = {**build_of(project, **OF_MAKEFILE), "sources": ["heat"]}
    assert measured(project, build, MPIS[mpi], "50")[1] == PRINTED


@pytest.fixture
def both_languages(project: Path) -> dict[str, Any]:
    folder = project / "configs" / "experiment" / "mixed"
    folder.mkdir()
    for name, text in OF_BOTH_LANGUAGES.items():
        (folder / name).write_text(text)
    sources = [f"mixed/{name}" for name in OF_BOTH_LANGUAGES]
    return build_of(project, name="mixed", sources=sources, language="fortran")


def test_a_program_of_c_with_files_of_fortran_is_simulated(
    project: Path, both_languages: dict[str, Any]
) -> None:
    _, log = run_point(project, Path("mixed"), 2, None, (), engine="flow", build=both_languages)
    assert "mixed: 41" in log


@pytest.mark.parametrize("mpi", WITH_FORTRAN)
def test_a_program_of_c_with_files_of_fortran_is_measured(
    project: Path, both_languages: dict[str, Any], mpi: str
) -> None:
    times, said = measured(project, both_languages, MPIS[mpi])
    assert (len(times), said.splitlines()[0]) == (3, "mixed: 41")


def test_without_a_compiler_the_message_says_which_is_missing(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_FC", "/nowhere/gfortran")
    build = build_of(project, **OF_HEAT)
    line, _ = run_line(project, Path("heat"), 2, None, (), None, "flow", None, {}, None, build)
    assert line["error"].startswith("no Fortran compiler to compile the program with: /nowhere/")
    assert line["error"].endswith("install one or name it with WEFT_FC")


def test_an_mpi_without_fortran_measures_none(project: Path) -> None:
    build = build_of(project, **OF_HEAT)
    program = program_of({"workload": {"program": "heat", "build": build}}, project)  # type: ignore[typeddict-item]
    (project / "mpicc").touch()
    with pytest.raises(MeasurementError, match=r"there is no Fortran compiler .*/mpifort beside"):
        build_program(program, SOURCES, project / "mpicc")
