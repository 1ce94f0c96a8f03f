"""Sizes take turns, and sizes are added where the time of a program jumps."""

from pathlib import Path

import pytest
from weft.engines.hardware.samples import Measurement, read_measurement

from tests.hardware.test_programs import run_program

pytestmark = pytest.mark.slow

#: Reports when it ran, and a time that is ten times as long from 600 bytes on.
SOURCE = """
#include "mgen.h"
#include <stdlib.h>
int MGEN_Main(int argc, char **argv) {
    MGEN_Sample("taken_s", atoi(argv[argc - 1]) >= 600 ? 2e-3 : 2e-4);
    MGEN_Sample("begun_s", MGEN_Wtime());
    return 0;
}
"""


@pytest.fixture
def measured(tmp_path: Path) -> Measurement:
    program = tmp_path / "turns.c"
    program.write_text(SOURCE)
    output = tmp_path / "samples.csv"
    few = ["--output", output, "--repetitions", 6, "--warmup", 1, "--budget", 100]
    words = [*few, "--rounds", 3, "--locate-jumps", "--sizes", "1024,64,256"]
    done = run_program(program, *words, ranks=1)
    assert done.returncode == 0, done.stderr
    return read_measurement(output)


def test_all_sizes_are_measured_in_each_round(measured: Measurement) -> None:
    asked = [measured.samples["begun_s", size] for size in (1024, 64, 256)]
    rounds = [[times[2 * i : 2 * i + 2] for times in asked] for i in range(3)]
    in_order = [time for each in rounds for times in each for time in times]
    assert in_order == sorted(in_order)
    assert measured.header["rounds"] == "3"


def test_a_jump_is_located_by_further_sizes(measured: Measurement) -> None:
    sizes = sorted(size for metric, size in measured.samples if metric == "taken_s")
    below, above = max(s for s in sizes if s < 600), min(s for s in sizes if s >= 600)
    assert above - below <= 6
    assert {len(values) for values in measured.samples.values()} == {6}
    assert set(measured.waiting) == set(sizes)


def test_where_all_repetitions_take_too_long_each_size_has_some(tmp_path: Path) -> None:
    program = tmp_path / "slow.c"
    program.write_text(
        '#include "mgen.h"\n'
        "int MGEN_Main(int argc, char **argv) {\n"
        "    for (double begun_s = MGEN_Wtime(); MGEN_Wtime() < begun_s + 0.02;) {}\n"
        "    return 0;\n}\n"
    )
    output = tmp_path / "samples.csv"
    many = ["--output", output, "--repetitions", 500, "--min-repetitions", 500, "--warmup", 1]
    words = [*many, "--rounds", 5, "--deadline", 10, "--budget", 100, "--sizes", "1024,64,256"]
    done = run_program(program, *words, ranks=2)
    assert done.returncode == 0, done.stderr
    taken = {size: len(times) for (_, size), times in read_measurement(output).samples.items()}
    assert taken.keys() == {64, 256, 1024}
    assert all(0 < count < 500 for count in taken.values())


def test_within_a_limit_that_leaves_time_all_repetitions_are_made(tmp_path: Path) -> None:
    program = tmp_path / "quick.c"
    program.write_text('#include "mgen.h"\nint MGEN_Main(int argc, char **argv) { return 0; }\n')
    output = tmp_path / "samples.csv"
    many = ["--output", output, "--repetitions", 500, "--min-repetitions", 500, "--warmup", 1]
    words = [*many, "--rounds", 5, "--deadline", 600, "--budget", 100, "--sizes", "1024,64,256"]
    done = run_program(program, *words, ranks=2)
    assert done.returncode == 0, done.stderr
    taken = {size: len(times) for (_, size), times in read_measurement(output).samples.items()}
    assert taken == {64: 500, 256: 500, 1024: 500}
