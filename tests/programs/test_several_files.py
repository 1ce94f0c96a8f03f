"""Programs of several files: simulated and measured from the same sources, in C and in C++."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from weft.config.model.program_files import ProgramFiles
from weft.config.points.places import Places
from weft.config.points.program_build import BuildError, program_build
from weft.engines.hardware.build import build_program
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.errors import MeasurementError
from weft.engines.hardware.samples import read_measurement
from weft.engines.hardware.source import program_of

from tests.missing import missing
from tests.patience import PATIENCE_S
from tests.programs.simulator import ROOT, run_point

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
STENCIL = ROOT / "configs" / "experiment" / "stencil"
PARTICLES = Path(__file__).parent / "particles"
OF_STENCIL = {
    "sources": ["stencil/main.c", "stencil/strip.c", "stencil/exchange.c"],
    "include": ["stencil/include"],
    "defines": {"WIDTH": 64},
    "flags": ["-O3", "-std=gnu11", "-fopenmp"],
}
OF_PARTICLES = {
    "name": "particles",
    "sources": ["particles/main.cpp", "particles/world.cpp", "particles/drawn.c"],
    "include": ["particles/include"],
    "defines": {"COUNT": 30},
    "flags": ["-std=c++17"],
}
MGEN = {
    "pair/main.cpp": '#include "pair.h"\nint MGEN_Main(int, char **) { return pair() - 7; }\n',
    "pair/pair.c": '#include "pair.h"\nint pair(void) { int rank; MGEN_Comm_rank(MGEN_COMM_WORLD, '
    "&rank); MGEN_Barrier(MGEN_COMM_WORLD); return rank < 9 ? 7 : 8; }\n",
    "pair/pair.h": '#include "mgen.h"\n#ifdef __cplusplus\nextern "C"\n#endif\nint pair(void);\n',
}
#: A program that reads a file by its name, and writes another.
READER = {
    "reader/main.c": """#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, found = 0, own = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *file = fopen("settings/size.txt", "r");
    if (file == NULL || fscanf(file, "%d", &found) != 1) return 3;
    fclose(file);
    char name[32];
    snprintf(name, sizeof name, "rank-%d.txt", rank);
    if ((file = fopen(name, "w")) == NULL) return 4;
    fprintf(file, "%d\\n", found + rank);
    fclose(file);
    if ((file = fopen(name, "r")) == NULL || fscanf(file, "%d", &own) != 1) return 5;
    fclose(file);
    if (rank == 1) printf("stencil reads %d, %d\\n", found, own);
    MPI_Finalize();
    return 0;
}
""",
    "reader/parts/half.c": "int half(int x) { return x / 2; }\n",
    "reader/parts/old.c": "#error not for use\n",
    "reader/small.txt": "42\n",
}
OF_READER = {
    "name": "reader",
    "sources": ["reader/main.c", "reader/parts/*.c", "!reader/parts/old.c"],
    "data": {"settings/size.txt": "reader/small.txt"},
}
MPIS = {
    "locked MPICH": None,
    "MPICH": ("mpicc.mpich", "mpiexec.mpich"),
    "Open MPI": ("mpicc.openmpi", "mpiexec.openmpi"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with the sources of this module."""
    experiments = tmp_path / "configs" / "experiment"
    shutil.copytree(STENCIL, experiments / "stencil")
    shutil.copytree(PARTICLES, experiments / "particles")
    for name, text in (MGEN | READER).items():
        (experiments / name).parent.mkdir(exist_ok=True, parents=True)
        (experiments / name).write_text(text)
    return tmp_path


def build_of(project: Path, **program: Any) -> dict[str, Any]:
    return dict(program_build(ProgramFiles.model_validate(program), Places(project / "configs")))


def simulated(
    project: Path, build: dict[str, Any], engine: str, *arguments: str
) -> tuple[float, str]:
    """The time of the program, and what it prints."""
    first = Path(build["sources"][0])
    metrics, log = run_point(
        project, first, 2, None, arguments, None, engine, build=build, stack_bytes=2 << 20
    )
    lines = [line.partition(": ")[2] for line in log.splitlines() if line.startswith("point ")]
    printed = [line for line in lines if line.startswith(("stencil", "particles"))]
    return metrics["program_time_s"], "\n".join(printed)


def measured(
    project: Path, build: dict[str, Any], mpi: tuple[str, str] | None, *arguments: str
) -> tuple[list[float], str]:
    """The times of three repetitions, and what the program prints."""
    bin_folder = ROOT / ".venv" / "bin"
    tools = mpi or (str(bin_folder / "mpicc"), str(bin_folder / "mpiexec"))
    found = [shutil.which(tool) for tool in tools]
    if None in found:
        missing(f"{' or '.join(tools)} is not installed")
    mpicc, launcher = found
    first = {"program": "p", "source": build["sources"][0], "build": build}
    program = program_of({"workload": first}, project)
    executable, *others = build_program(program, SOURCES, Path(mpicc))
    output = project / "samples.csv"
    options = ["--repetitions", "3", "--warmup", "1", "--budget", "100", "--output", str(output)]
    options += ["--program", str(others[0].absolute())] if others else []
    # One of them asks for this level; without it its measurement would begin anew.
    options += ["--threads", "multiple"]
    (project / "run").mkdir(exist_ok=True)
    for name, content in program.data.items():
        (project / "run" / name).parent.mkdir(exist_ok=True)
        (project / "run" / name).write_bytes(content)
    options += ["--folder", str(project / "run")] if others else []
    own = ["--", *arguments] if arguments else []
    allow = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    more = ["--oversubscribe"] if "openmpi" in launcher else []
    done = subprocess.run(
        [launcher, *more, "-n", "2", str(executable), *options, *own],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, **allow},
    )
    assert done.returncode == 0, done.stderr
    return read_measurement(output).samples["program_time_s", None], done.stdout.strip()


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma"])
def test_a_program_of_several_files_is_simulated(project: Path, engine: str) -> None:
    time_s, printed = simulated(project, build_of(project, **OF_STENCIL), engine, "5")
    assert time_s > 5e-6
    assert printed == "stencil: changed by 7.435547e+02 after 5 exchanges"


@pytest.mark.parametrize("mpi", MPIS)
def test_the_same_files_are_measured(project: Path, mpi: str) -> None:
    build = build_of(project, **OF_STENCIL)
    times, printed = measured(project, build, MPIS[mpi], "5")
    assert len(times) == 3
    assert printed == simulated(project, build, "flow", "5")[1]


@pytest.mark.parametrize("mpi", MPIS)
def test_cpp_has_constructors_exceptions_and_numbers_of_its_own_in_every_rank(
    project: Path, mpi: str
) -> None:
    build = build_of(project, **OF_PARTICLES)
    _, printed = simulated(project, build, "flow")
    assert printed.startswith("particles: ")
    assert measured(project, build, MPIS[mpi])[1] == printed


def test_a_program_of_mgen_may_be_of_several_files_and_of_both_languages(project: Path) -> None:
    build = build_of(project, sources=["pair/main.cpp", "pair/pair.c"])
    assert simulated(project, build, "flow")[0] > 0
    assert len(measured(project, build, None)[0]) == 3


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma"])
def test_a_program_finds_its_files_and_writes_others(project: Path, engine: str) -> None:
    build = build_of(project, **OF_READER)
    assert build["sources"][1:] == ["configs/experiment/reader/parts/half.c"]
    assert simulated(project, build, engine)[1] == "stencil reads 42, 43"


def test_a_measured_program_finds_its_files_too(project: Path) -> None:
    assert measured(project, build_of(project, **OF_READER), None)[1] == "stencil reads 42, 43"


def test_files_of_a_program_are_part_of_its_point(project: Path) -> None:
    before = build_of(project, **OF_READER)
    (project / "configs/experiment/reader/small.txt").write_text("43\n")
    after = build_of(project, **OF_READER)
    assert before["files"] == after["files"]
    assert before["data"] != after["data"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"sources": ["reader/*.cpp"]}, "no file matches reader/*.cpp"),
        ({"sources": ["reader/main.c", "!reader/*.c"]}, "no source is left of these"),
        ({"data": {"a": "reader/none.txt"}}, "there is no file reader/none.txt"),
    ],
)
def test_patterns_and_files_that_are_not_there_are_refused(
    project: Path, changed: dict[str, Any], words: str
) -> None:
    with pytest.raises(BuildError, match=re.escape(words)):
        build_of(project, **(OF_READER | changed))


def test_what_a_compiler_misses_is_named_with_its_key(project: Path) -> None:
    (project / "configs/experiment/stencil/strip.c").write_text('#include "grid.h"\n')
    build = build_of(project, **OF_STENCIL)
    with pytest.raises(MeasurementError) as error:
        measured(project, build, None)
    assert "configs/experiment/stencil/strip.c:1:10: fatal error: grid.h" in str(error.value)
    assert str(error.value).endswith("; workload.program.include lists the folders of headers")


def test_two_main_functions_are_named_with_the_key(project: Path) -> None:
    (project / "configs/experiment/stencil/strip.c").write_text("int main(void) { return 0; }\n")
    with pytest.raises(MeasurementError, match="only one of workload"):
        measured(project, build_of(project, **OF_STENCIL), None)
