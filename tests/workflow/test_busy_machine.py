"""A measurement beside busy loops on every core: flagged, and never taken for a good one."""

import re

import duckdb
import pytest

pytestmark = [pytest.mark.slow, pytest.mark.alone]

EXPERIMENT = """
title: Busy
question: How far is the model from what a busy machine measures?
defaults:
  - override /topology: crossbar
  - override /network: gigabit
  - override /workload: pingpong
engines: [flow, hardware]
engine: {hardware: {repetitions: 2, min_repetitions: 2, warmup: 1, budget: 1 ms}}
workload: {message_size: 8 B}
figures:
  - line: {x: message_bytes, y: one_way_time_s, log_x: true, log_y: true}
  - ratio: {x: message_bytes, of: flow, to: hardware, y: one_way_time_s, log_x: true}
"""
#: Computes for so long that no repetition keeps its processor: before the first one each rank
#: starts loops on all cores, which end with it. Other steps have peace.
COMPUTES = """
#define _GNU_SOURCE
#include "mgen.h"
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
static void make_busy(void) {
    for (long i = sysconf(_SC_NPROCESSORS_ONLN); i > 0; i--) {
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;) {
            }
        }
    }
}
int MGEN_Main(int argc, char **argv) {
    static int is_busy;
    (void)argc;
    (void)argv;
    if (!is_busy) {
        make_busy();
        is_busy = 1;
    }
    double start = MGEN_Wtime();
    for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC * 3 / 100;) {
    }
    MGEN_Sample("one_way_time_s", MGEN_Wtime() - start);
    return 0;
}
"""


@pytest.fixture(scope="module")
def busy(project):
    (project.folder / "programs" / "pingpong.c").write_text(COMPUTES)
    project.write("busy", EXPERIMENT)
    outcome = project.run("reports/busy.html")
    assert outcome.code == 0, outcome.output
    return project, outcome


def page(project):
    return (project.folder / "reports" / "busy.html").read_text()


def test_the_run_ends_well_and_its_last_line_counts_the_flagged(busy):
    project, outcome = busy
    assert "busy: 2 points: 2 done, 1 flagged" in outcome.output.splitlines()[-1]
    assert project.stamp("busy")["flagged"] == 1


def test_the_tables_have_the_reason(busy):
    project, _ = busy
    with duckdb.connect(str(project.folder / "results/weft.duckdb"), read_only=True) as con:
        flags = con.execute(
            "SELECT DISTINCT engine, flag FROM answers WHERE experiment = 'busy' ORDER BY 1"
        ).fetchall()
        lost = con.execute("SELECT min(lost) FROM samples WHERE experiment = 'busy'").fetchone()
    assert flags[0] == ("flow", None)
    assert re.match(r"ranks had no processor for \d+% of the time", flags[1][1])
    assert lost[0] is not None


def test_the_answer_says_it_below_its_verdict_and_judges_no_prediction_by_it(busy):
    project, _ = busy
    answer = page(project).split('id="answer"')[1].split("</section>")[0]
    first = answer.split('<details class="caveat">')[1]
    assert "Measured on a busy machine" in first
    assert "retry_flagged=true" in first
    assert "is off by" not in answer
    assert "within ×" not in answer


def test_the_marks_of_flagged_values_are_hollow(busy):
    project, _ = busy
    assert '"flag":"' in page(project)
    assert "Hollow marks" in page(project)


def test_the_plan_counts_it_and_a_rerun_takes_it_for_no_good_one(busy):
    project, _ = busy
    assert re.search(r"busy +hardware +1 +1 +0 +0 +0 +0 +1\n", project.run("plan").output)
    assert project.collect("busy", "-n").jobs == {}
    again = project.collect("busy", "-n", "--config", "retry_flagged=true")
    assert again.jobs == {"measure": 1, "collect": 1}


def test_strict_makes_it_an_error(busy):
    project, _ = busy
    outcome = project.run("reports/busy.html", "--config", "strict=true")
    assert outcome.code == 1, outcome.output
    assert "1 flagged, and strict=true accepts only done points" in outcome.output
