"""Calls of MPI from Fortran: a program prints the same in every simulator as over MPICH."""

import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.containers_support import missing
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


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", SOURCES)
def test_a_program_prints_what_it_prints_over_mpich(name, engine, tmp_path):
    if not shutil.which("gfortran"):
        missing("gfortran is not installed")
    build = {
        **{"root": str(HERE), "language": "fortran", "sources": [name], "include": []},
        **{"defines": [], "flags": [], "files": [[name, None]]},
    }
    options = {"engine": engine, "build": build, "stack_bytes": 1 << 18}
    _, log = run_point(tmp_path, Path(name), RANKS, arguments=ARGUMENTS, **options)
    assert printed(log) == over_mpich(name)
