"""Code of a program lies alike in lines of the cache, simulated and measured.

Otherwise a loop may take a tenth longer in one of the two builds than in the other.
"""

import re
import shutil
import subprocess

import pytest
from weft.engines.hardware.build import PLAIN_FLAGS, mgen_command
from weft.engines.hardware.engine import SOURCES
from weft.engines.hardware.parts import PART_FLAGS, own_build_variables
from weft.engines.native import compiling_simulator

#: Bytes of a line of the cache, with which functions and loops begin.
LINE = 64
#: Code of odd lengths before each loop.
SOURCE = """
static volatile double kept;
int odd(int n) { kept += n; return n + 1; }
double first(const double *a, int n) {
    double sum = kept;
    for (int i = 0; i < n; i++) sum += a[i];
    return sum;
}
double both(double *a, int n) {
    kept = 3 * kept + n;
    for (int i = 0; i < n; i++) a[i] = a[i] * 7 + kept;
    kept -= 1;
    for (int i = 0; i < n; i++) a[i] /= 3;
    return first(a, n);
}
"""
FUNCTION_LINE = re.compile(r"^([0-9a-f]+) <(odd|first|both)>:$")
JUMP_LINE = re.compile(r"^ *([0-9a-f]+):\s+j\w+\s+([0-9a-f]+) ")


def simulated():
    """Flags of the simulator's build, as `weft-cc` shows them."""
    command = [str(compiling_simulator()), "cc", "-showme:compile"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def measured_own_build(tmp_path):
    return own_build_variables(tmp_path / "mpicc")["WEFT_MPI_COMPILING"].splitlines()


BUILDS = {
    "simulated": lambda _: simulated(),
    "measured, plain": lambda _: list(PLAIN_FLAGS),
    "measured, of mgen.h": lambda _: mgen_command(SOURCES),
    "measured, several files": lambda _: list(PART_FLAGS),
    "measured, a build of its own": lambda path: ["-O2", *measured_own_build(path)],
}


@pytest.mark.skipif(not shutil.which("objdump"), reason="binutils are missing")
@pytest.mark.parametrize("build", BUILDS)
def test_functions_and_loops_begin_where_those_of_the_other_build_do(build, tmp_path):
    (tmp_path / "a.c").write_text(SOURCE)
    flags = [flag for flag in BUILDS[build](tmp_path) if flag.startswith(("-O", "-f"))]
    subprocess.run(["cc", *flags, "-c", "a.c"], cwd=tmp_path, check=True)
    shown = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", "a.o"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    lines = shown.stdout.splitlines()
    functions = [int(found[1], 16) for line in lines if (found := FUNCTION_LINE.match(line))]
    jumps = [
        (int(found[1], 16), int(found[2], 16)) for line in lines if (found := JUMP_LINE.match(line))
    ]
    loops = [target for place, target in jumps if target < place]
    assert {place % LINE for place in functions} == {0}
    assert {place % LINE for place in loops} == {0}
