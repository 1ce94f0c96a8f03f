"""Programs in SMPI on a network of one's own: its routes, the speeds of its links, its failures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from weft.engines.graphs import canonical_topology

from tests.engines.simgrid.points import needs_simgrid
from tests.engines.simgrid.test_graphs import FAILED, RAILS, RING, graph
from tests.engines.smpi.points import (
    ENVELOPE,
    NETWORK,
    answer,
    flow_answer,
    line_of,
    written,
)

pytestmark = [pytest.mark.slow, pytest.mark.long("simgrid")]
#: Rank 0, on n0 at s0, to rank 4, on n4 at s2. The other ranks only run.
ONE_MESSAGE = """
    if (rank == 0) MGEN_Send(NULL, bytes, MGEN_BYTE, 4, 0, MGEN_COMM_WORLD);
    if (rank == 4) MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);"""
#: A token visits all ranks four times, each time in other steps.
TOKEN = """
    for (int step = 1; step < 8; step += 2) {
        int next = (rank + step) % 8, last = (rank - step + 8) % 8;
        if (rank == 0) MGEN_Send(NULL, bytes, MGEN_BYTE, next, 0, MGEN_COMM_WORLD);
        MGEN_Recv(NULL, bytes, MGEN_BYTE, last, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
        if (rank != 0) MGEN_Send(NULL, bytes, MGEN_BYTE, next, 0, MGEN_COMM_WORLD);
    }"""
SIZE = 100_000
#: Of one packet, and without a request before it.
EAGER = 2000


@pytest.fixture(autouse=True)
def _simgrid() -> None:
    needs_simgrid()


@pytest.mark.parametrize(
    ("gone", "slowest", "hop_s"),
    [
        # By s3, over a cable with its own latency.
        ([["s1", "s2"]], 4e9, 2e-6 + 1e-7),
        # By s1, over a slow cable.
        ([["s3", "s0"]], 25e6, 2e-7),
    ],
    ids=["long cable", "slow cable"],
)
def test_a_message_goes_round_failures_over_cables_as_the_file_has_them(
    tmp_path: Path, gone: list[list[str]], slowest: float, hop_s: float
) -> None:
    failed = {"links": gone, "switches": 0}
    site = graph(tmp_path, RING, routing="shortest", failed=failed)
    program = written(tmp_path, ONE_MESSAGE)
    found = answer(tmp_path / "smpi", program, 8, site, NETWORK, [SIZE])
    expected = NETWORK["latency_s"] + hop_s + (SIZE + ENVELOPE) / slowest
    assert found["program_time_s", SIZE] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("routing", ["shortest", "layered", "up_down", "ecmp_pair"])
@pytest.mark.parametrize("more", [{}, {"failed": FAILED}], ids=str)
def test_programs_take_the_times_of_flow(
    tmp_path: Path, routing: str, more: dict[str, Any]
) -> None:
    site = graph(tmp_path, RING, routing=routing, **more)
    options: dict[str, Any] = {"sizes": [EAGER]}
    program = written(tmp_path, TOKEN)
    found = answer(tmp_path / "smpi", program, 8, site, **options)
    (tmp_path / "flow").mkdir()
    own = canonical_topology(site, tmp_path / "flow")
    wanted = flow_answer(tmp_path / "flow", program, 8, own, **options)
    assert found["program_time_s", EAGER] == pytest.approx(
        wanted["program_time_s", EAGER], rel=1e-6
    )


def test_nodes_with_rails_are_refused(tmp_path: Path) -> None:
    site = graph(tmp_path, RAILS, routing="shortest", rails="round_robin")
    line = line_of(tmp_path / "smpi", written(tmp_path, ONE_MESSAGE), 8, site, sizes=[SIZE])
    assert "nodes have several rails, and a rank of SMPI has one" in line["error"]
