"""A ping-pong from which no line follows, through real Snakemake, MPI and the flow model."""

import json

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

EXPERIMENT = """
title: No line
question: What becomes of a prediction whose link parameters nobody can fit?
defaults:
  - override /topology: crossbar
  - override /network: measured
  - override /workload: pingpong
engines: [flow, hardware]
engine: {hardware: {repetitions: 2, budget: 1 ms}}
workload: {message_size: [8 B, 64 B, 512 B]}
"""
#: What a busy machine measures: the same time for every size.
FLAT = """
#include "mgen.h"
int MGEN_Main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    MGEN_Sample("one_way_time_s", 9e-3);
    return 0;
}
"""


@pytest.fixture(scope="module")
def flat(project):
    (project.folder / "programs" / "pingpong.c").write_text(FLAT)
    project.write("flat", EXPERIMENT)
    outcome = project.run("reports/flat.html")
    assert outcome.code == 0, outcome.output
    return project, outcome


def test_the_run_ends_well_and_counts_what_was_skipped(flat):
    project, outcome = flat
    assert project.stamp("flat")["skipped"] == 1
    assert project.stamp("flat")["done"] == 1
    assert "1 point skipped: the measured ping-pong gives no link" in outcome.output


def test_the_page_has_the_measurements_and_the_reason(flat):
    project, _ = flat
    page = (project.folder / "reports/flat.html").read_text()
    assert "the times do not grow with the message size" in page
    assert "hardware" in page
    assert '"y":9' in page


def test_a_good_measurement_makes_the_prediction(flat):
    project, _ = flat
    metrics = project.folder / "results" / "flat" / "calibration.json"
    metrics.write_text(json.dumps({"latency_s": 1e-6, "bandwidth_bytes_per_s": 1e9}))
    assert project.collect("flat").jobs == {"simulate": 1, "collect": 1}
    assert (project.stamp("flat")["done"], project.stamp("flat")["skipped"]) == (2, 0)


def test_the_measurement_is_no_good_one_for_a_retry(flat):
    project, _ = flat
    folder = project.folder / "results" / "flat"
    hardware = next(folder.glob("hardware/*/status.json"))
    (point,) = json.loads(hardware.read_text())["done"]
    (folder / "calibration.json").write_text(
        json.dumps({"problem": "none", "source_point_id": point})
    )
    again = project.collect("flat", "-n", "--config", "retry_flagged=true")
    assert again.jobs == {"measure": 1, "calibrate": 1, "simulate": 1, "collect": 1}
