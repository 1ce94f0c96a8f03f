"""When a measurement is good, measured again, or flagged."""

import json
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest
from weft.engines.hardware.engine import HardwareEngine
from weft.engines.hardware.program import once
from weft.engines.hardware.quality import flag_text, judge

from tests.hardware.conftest import make_point

PROCESSORS = len(os.sched_getaffinity(0))
#: Each repetition computes for 30 ms: longer than a scheduler lets anybody go on beside others.
COMPUTES = """
#include "mgen.h"
#include <time.h>
int MGEN_Main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    for (clock_t start = clock(); clock() - start < CLOCKS_PER_SEC * 3 / 100;) {
    }
    return 0;
}
"""


def test_only_quiet_repetitions_count_where_there_are_enough():
    values = [1e-6] * 20 + [9e-3] * 30
    judged = judge(values, [0] * 20 + [1] * 30, waiting=0.6)
    assert (judged.value, judged.problem) == (1e-6, None)


def test_without_quiet_repetitions_the_time_without_a_processor_decides():
    values, lost = [1e-3] * 20, [1] * 20
    assert judge(values, lost, waiting=0.01).problem is None
    assert judge(values, lost, waiting=0.43).problem == "ranks had no processor for 43% of the time"


def test_times_that_drift_or_spread_are_reported():
    drifting = [1e-6] * 10 + [3e-6] * 10
    assert judge(drifting, [0] * 20, waiting=0.0).problem == "the times drifted by ×3.0"
    spread = [1e-6, 9e-6] * 10
    problem = judge(spread, [0] * 20, waiting=0.0).problem
    assert problem == "the middle half of the times spreads over ×9.0"


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_few_quiet_repetitions_are_enough_where_few_were_asked_for(count):
    assert judge([1.0] * count, [0] * count, waiting=0.9).problem is None


def test_a_point_names_how_many_values_and_why():
    text = flag_text([None, "busy", "busy", "odd"], 8.5, 2)
    assert text == "3 of 4 values: busy; load average 8.5 on 2 processors"
    assert flag_text([None, None], 8.5, 2) is None


@contextmanager
def busy_processors(count):
    """Loops that take whatever processor they get, until the end of the block."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def line_of(job):
    (line,) = [json.loads(text) for text in job.journal.read_text().splitlines()]
    return line


@pytest.mark.slow
@pytest.mark.alone
def test_a_measurement_beside_busy_loops_is_repeated_and_flagged(make_job, engine_of):
    point = make_point("a", [8])
    point["options"] = {"repetitions": 5, "min_repetitions": 5, "warmup": 1, "budget_s": 0.1}
    job = make_job([point])
    with busy_processors(2 * PROCESSORS):
        engine_of(COMPUTES).run(job)
    line = line_of(job)
    assert line["status"] == "done"
    assert "ranks had no processor for" in line["flag"]
    assert all("ranks had no processor" in row["flag"] for row in line["metrics"])
    assert line["environment"]["sizes_measured_again"] == 1
    assert {"load_average", "load_average_after", "steal_share"} <= line["environment"].keys()
    samples = (job.directory / "samples-a.csv").read_text().splitlines()
    assert len(samples) - 1 > 5
    assert "flagged: " in job.log.read_text()


@pytest.mark.slow
@pytest.mark.alone
def test_a_measurement_without_a_budget_is_flagged_and_not_repeated(make_job, engine_of):
    job = make_job([once(make_point("a", [8]))])
    with busy_processors(2 * PROCESSORS):
        engine_of(COMPUTES).run(job)
    line = line_of(job)
    assert "ranks had no processor for" in line["flag"]
    assert "sizes_measured_again" not in line["environment"]


@pytest.mark.slow
@pytest.mark.alone
def test_a_value_beside_busy_loops_is_that_of_quiet_repetitions_or_flagged(make_job):
    """A rank that has its processor for milliseconds has time for many messages of microseconds."""
    job = make_job([make_point("a", [8])])
    with busy_processors(PROCESSORS):
        HardwareEngine().run(job)
    times = {row["metric"]: row for row in line_of(job)["metrics"]}
    assert "flag" in times["one_way_time_s"] or times["one_way_time_s"]["value"] < 1e-3


@pytest.mark.slow
@pytest.mark.alone
def test_two_ranks_more_than_processors_are_a_condition_and_no_flaw(make_job):
    point = make_point("a", [8], "alltoall")
    point["workload"]["ranks"] = PROCESSORS + 2
    job = make_job([point])
    HardwareEngine().run(job)
    line = line_of(job)
    assert line["environment"]["oversubscribed"] is True
    assert "flag" not in line
    assert "sizes_measured_again" not in line["environment"]
