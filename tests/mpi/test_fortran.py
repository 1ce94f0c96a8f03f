"""Calls of MPI from Fortran: a program prints the same in every simulator as over MPICH."""

import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.missing import missing
from tests.mpi.test_conformance import ENGINES, printed
from tests.patience import PATIENCE_S
from tests.programs.simulator import run_point

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
HERE = Path(__file__).parent / "fortran"
SOURCES = sorted(path.name for path in HERE.glob("*.f*"))
RANKS = 3
ARGUMENTS = ("first", "second")
#: The locked MPICH has no compiler of Fortran.
COMPILER, LAUNCHER = "mpifort.mpich", "mpiexec.mpich"


@cache
def over_mpich(name: str) -> list[str]:
    """What the ranks print, one rank after the other."""
    if not shutil.which(COMPILER) or not shutil.which(LAUNCHER):
        missing(f"{COMPILER} or {LAUNCHER} is not installed")
    with TemporaryDirectory() as folder:
        compiling = [COMPILER, "-w", "-o", "program", HERE / name]
        subprocess.run(compiling, check=True, timeout=PATIENCE_S, cwd=folder)
        # Each rank has a file of its own: lines of several ranks could mix.
        command = [LAUNCHER, "-n", str(RANKS), "-outfile-pattern", "%r", "./program", *ARGUMENTS]
        subprocess.run(command, check=True, timeout=PATIENCE_S, cwd=folder)
        texts = [(Path(folder) / str(rank)).read_text() for rank in range(RANKS)]
    return [line for text in texts for line in text.splitlines()]


def simulated_lines(source: Path, engine: str, folder: Path) -> list[str]:
    """What the ranks print in a simulator, one rank after the other."""
    if not shutil.which("gfortran"):
        missing("gfortran is not installed")
    build = {
        **{"root": str(source.parent), "language": "fortran", "sources": [source.name]},
        **{"include": [], "defines": [], "flags": [], "files": [[source.name, None]]},
    }
    options = {"engine": engine, "build": build, "stack_bytes": 1 << 18}
    _, log = run_point(folder, Path(source.name), RANKS, arguments=ARGUMENTS, **options)
    return printed(log)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SOURCES)
def test_a_program_prints_what_it_prints_over_mpich(name, engine, tmp_path):
    assert simulated_lines(HERE / name, engine, tmp_path) == over_mpich(name)


def test_quadruple_precision_is_reduced_in_all_its_digits(tmp_path):
    """MPICH 4.0 and Open MPI 4.1 reduce such numbers as `long double` of C, and print others."""
    lines = simulated_lines(HERE / "exact" / "quadruple.f90", "flow", tmp_path)
    names = ("sums", "largest", "product")
    assert lines == [f"{rank}: {name} T" for rank in range(RANKS) for name in names]
