"""Collectives that send no messages on one node are named beside predictions of messages."""

from __future__ import annotations

import json
from pathlib import Path

import packet_samples
import pytest
from answer_samples import sentences
from report_samples import Row, make_plan, point, run

MPICH = "MPICH Version:      5.0.2"
OPEN_MPI = "Open MPI v5.0.3"
ONE_NODE = ("node1", "node1")
WORDS = "MPICH sends no messages in the allreduce that hardware measures"


def _answers(
    folder: Path,
    program: str = "allreduce",
    algorithm: str = "library",
    library: str = MPICH,
    hosts: tuple[str, ...] = ONE_NODE,
    engines: tuple[str, ...] = ("flow", "hardware"),
) -> list[str]:
    """The answer box of a collective by these engines, measured on these hosts."""
    options: Row = {f"{program}_algorithm": algorithm}
    spec: Row = {"topology": {}, "network": {}, "options": options,
                 "workload": {"kind": "program", "source": f"programs/{program}.c"}}  # fmt: skip
    points = [point(engine, {}, spec) for engine in engines]
    facts = json.dumps({"hosts": hosts, "mpi_library": library})
    plan = make_plan("collective", points, [])
    values = [packet_samples.value(at, "program_time_s", 1e-6, "s") for at in points]
    runs = [run(at, environment=facts) for at in points]
    return sentences(packet_samples.stored(folder, plan, values, runs))


@pytest.mark.slow
def test_mpichs_allreduce_on_one_node_is_said_to_send_no_messages(tmp_path: Path) -> None:
    said = _answers(tmp_path)
    assert said[0].startswith(WORDS)
    assert said[0].endswith("flow predicts the time of messages.")


@pytest.mark.slow
def test_collectives_that_send_messages_are_said_to_be_nothing_else(tmp_path: Path) -> None:
    for number, others in enumerate((
        {"hosts": ("node1", "node2")},
        {"library": OPEN_MPI},
        {"algorithm": "mpich"},
        {"program": "alltoall"},
        {"engines": ("hardware",)},
    )):  # fmt: skip
        said = _answers(tmp_path / str(number), **others)  # type: ignore[arg-type]
        assert not any(text.startswith("MPICH sends no") for text in said), others
