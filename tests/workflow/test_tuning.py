"""Switch points of a machine, through real Snakemake; the flow model is also the machine."""

import json

import pytest
import yaml

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

EXPERIMENT = """
title: Switch points
question: Which broadcast is the best?
defaults:
  - override /topology: crossbar
  - override /network: gigabit
  - override /workload: pingpong
engines: [flow]
report: {reference: flow}
topology: {nodes: 8}
workload: {ranks: 8, message_size: [64 B, 4 KiB, 1 MiB]}
engine: {flow: {model: max_min}}
sweep:
  zip:
    - workload.program: [pingpong, bcast]
      network: [gigabit, measured]
      workload.ranks: [2, 8]
  engine.flow.bcast_algorithm: {when: workload.program == bcast, values: [chain, scatter_allgather]}
figures:
  - choice:
      x: workload.ranks
      y: message_bytes
      value: collective_time_s
      among: options.bcast_algorithm
      where: {workload.program: bcast}
"""


@pytest.fixture(scope="module")
def tuned(project):
    project.write("tuning", EXPERIMENT)
    outcome = project.run("tuning/local.yaml")
    assert outcome.code == 0, outcome.output
    return project


def test_the_network_is_fitted_to_what_the_reference_simulates(tuned):
    fitted = json.loads((tuned.folder / "results" / "tuning" / "calibration.json").read_text())
    # Configs of gigabit Ethernet: 125 MB/s.
    assert fitted["bandwidth_bytes_per_s"] == pytest.approx(125e6, rel=0.01)


def test_the_tables_of_the_machine_are_written(tuned):
    written = yaml.safe_load((tuned.folder / "tuning" / "local.yaml").read_text())
    assert written["machine"] == "local"
    # A chain of eight ranks passes the whole message seven times.
    assert written["bcast_algorithm"][-1] == {"use": "scatter_allgather"}
    assert (tuned.folder / "tuning" / "local.openmpi.rules").is_file()


def test_a_machine_that_has_no_file_is_refused(tuned):
    outcome = tuned.run("tuning/locl.yaml")
    assert outcome.code != 0
    assert "did you mean 'local'?" in outcome.output
