"""What a build prints names the reason of its failure."""

import pytest
from weft.engines.build_reasons import reason_in


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (
            "$ ./configure\nchecking for gcc... weft-cc\nchecking whether weft-cc works... yes\n"
            "config.status: error: cannot find input file: `upc/Makefile.in'\n",
            "config.status: error: cannot find input file: `upc/Makefile.in'",
        ),
        (
            "weft-cc: -march=native is left out: why\nsolver.c:3: error: no x\n",
            "solver.c:3: error: no x",
        ),
        (
            "/usr/bin/ld: cannot open output file ../bin/cg.S.x: No such file or directory\n"
            "collect2: error: ld returned 1 exit status\nmake: *** [Makefile:36: cg] Error 2\n",
            "/usr/bin/ld: cannot open output file ../bin/cg.S.x: No such file or directory; the "
            "copy has no folders that are empty: make them by a command, like [mkdir, -p, bin]",
        ),
        (
            "CMake Error at CMakeLists.txt:5 (find_package):\n\n  Could not find HDF5\n-- End\n",
            "CMake Error at CMakeLists.txt:5 (find_package): Could not find HDF5",
        ),
        (
            "/usr/bin/ld: a.o: in function `main':\na.c:3: undefined reference to `dgemm_'\n"
            "collect2: error: ld returned 1 exit status\nmake: *** [Makefile:2: x] Error 1\n",
            "a.c:3: undefined reference to `dgemm_'; the command that links lacks a file or a "
            "library: name it in the project's own files or in workload.program.build.command, "
            "like LDLIBS=-lm",
        ),
        (
            "make[1]: Entering directory '/x/sub'\nmake[1]: ./generate: No such file or directory\n"
            "make[1]: *** [Makefile:2: all] Error 127\nmake: *** [m2:2: all] Error 2\n",
            "make[1]: ./generate: No such file or directory; a build sees the system's files and "
            "what workload.program.build.files names",
        ),
        (
            "the template is empty\nmake[1]: *** [Makefile:2: all] Error 2\n"
            "make[1]: Leaving directory '/x/sub'\nmake: *** [Makefile:2: all] Error 2\n",
            "the template is empty",
        ),
        ("weft-c++: '-B.' is not allowed\nmake: Error 1\n", "weft-c++: '-B.' is not allowed"),
        (
            "gfortran: fatal\n    1 | x\nError: Symbol 'x' has no type\ncompilation terminated.\n",
            "Error: Symbol 'x' has no type",
        ),
        ("make: *** No rule to make target 'x'.\n", "make: *** No rule to make target 'x'."),
        (
            "1: error: a\n2: error: b\n3: error: c\n4: error: d\n",
            "1: error: a; 2: error: b; 3: error: c; and 1 more",
        ),
        ("$ solve\nit is over\n", "it is over"),
        ("$ false\n", ""),
    ],
)
def test_the_lines_that_say_why_are_shown(log: str, reason: str) -> None:
    assert reason_in(log) == reason
