"""SMPI beside flow and its closed forms: the same program, the same messages, the same times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.engines.simgrid.points import needs_simgrid
from tests.engines.smpi.points import (
    ENVELOPE,
    HEADED,
    NETWORK,
    RATE,
    answer,
    flow_answer,
    written,
)

pytestmark = [pytest.mark.slow, pytest.mark.long("simgrid")]
PAIR = {"kind": "crossbar", "nodes": 2}
LINE = {"kind": "mesh", "sizes": [4], "nodes": 4}
TORUS_16 = {"kind": "torus", "sizes": [4, 4], "ties": "plus", "nodes": 16}
TORUS_64 = {"kind": "torus", "sizes": [4, 4, 4], "ties": "plus", "nodes": 64}
TREE_64 = {"kind": "fat_tree", "k": 4, "levels": 3, "routing": "dmodk", "nodes": 64}
SIZES = [0, 1, 1000, 16384, 16385, 1_000_000]
#: Rounding of a clock that starts at 1 ms.
CLOCK = 1e-11
#: Flow counts whole picoseconds, and each message may round one.
PICOSECONDS = 1e-9


@pytest.fixture(autouse=True)
def _simgrid() -> None:
    needs_simgrid()


ONE_MESSAGE = """
    if (rank == 0) MGEN_Send(NULL, bytes, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD);
    if (rank == 1) MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);"""


def test_a_message_alone_takes_latency_and_bytes_with_the_envelope(tmp_path: Path) -> None:
    """Eager or by rendezvous."""
    found = answer(tmp_path, written(tmp_path, ONE_MESSAGE), 2, PAIR, sizes=SIZES)
    for size in SIZES:
        expected = NETWORK["latency_s"] + (size + ENVELOPE) / RATE
        assert found["program_time_s", size] == pytest.approx(expected, rel=CLOCK)


def test_without_headers_flow_needs_messages_of_16_bytes_more(tmp_path: Path) -> None:
    program, more = written(tmp_path, ONE_MESSAGE), {"eager_limit_bytes": 1 << 21}
    found = answer(tmp_path / "smpi", program, 2, PAIR, NETWORK, SIZES, **more)
    longer = [size + ENVELOPE for size in SIZES]
    wanted = flow_answer(tmp_path / "flow", program, 2, PAIR, NETWORK, longer, **more)
    for size in SIZES:
        ours = wanted["program_time_s", size + ENVELOPE]
        assert found["program_time_s", size] == pytest.approx(ours, rel=CLOCK)


def test_pingpong_takes_the_times_of_flow(tmp_path: Path) -> None:
    more: dict[str, Any] = {"sizes": [0, 8, 1000, 100_000], "eager_limit_bytes": 1 << 20}
    found = answer(tmp_path / "smpi", "pingpong", 2, PAIR, **more)
    wanted = flow_answer(tmp_path / "flow", "pingpong", 2, PAIR, **more)
    for name in ("one_way_time_s", "exchange_time_s"):
        for size in more["sizes"]:
            assert found[name, size] == pytest.approx(wanted[name, size], rel=PICOSECONDS)


ALGORITHMS = ["binomial", "linear", "chain", "binary", "knomial", "split_binary",
              "scatter_allgather", "scatter_ring_allgather"]  # fmt: skip


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_bcast_sends_the_messages_of_flow(tmp_path: Path, algorithm: str) -> None:
    program = written(tmp_path, "MGEN_Bcast(NULL, bytes, MGEN_BYTE, 0, MGEN_COMM_WORLD);")
    more: dict[str, Any] = {"sizes": [0, 800, 16000], "bcast_algorithm": algorithm}
    star = {"kind": "crossbar", "nodes": 8}
    found = answer(tmp_path / "smpi", program, 8, star, **more)
    wanted = flow_answer(tmp_path / "flow", program, 8, star, **more)
    for key, value in found.items():
        assert value == pytest.approx(wanted[key], rel=1e-9)


def test_a_chain_takes_a_step_for_each_rank(tmp_path: Path) -> None:
    """Along a line, each step one hop."""
    program = written(tmp_path, "MGEN_Bcast(NULL, bytes, MGEN_BYTE, 0, MGEN_COMM_WORLD);")
    found = answer(tmp_path, program, 4, LINE, sizes=[1000], bcast_algorithm="chain")
    step_s = NETWORK["latency_s"] + NETWORK["hop_latency_s"] + (1000 + ENVELOPE) / RATE
    assert found["program_time_s", 1000] == pytest.approx(3 * step_s, rel=CLOCK)


EXCHANGES = [
    (program, ranks, topology)
    for program in ("alltoall_pairwise", "alltoall_ring", "alltoall_bruck")
    for ranks, topology in ((16, TORUS_16), (64, TORUS_64), (64, TREE_64))
]


@pytest.mark.parametrize(
    ("program", "ranks", "topology"),
    EXCHANGES,
    ids=lambda each: each["kind"] if isinstance(each, dict) else str(each),
)
def test_exchanges_lie_near_flow(
    tmp_path: Path, program: str, ranks: int, topology: dict[str, Any]
) -> None:
    """Eager, and by rendezvous, whose two control messages SMPI has not."""
    sizes = [1000, 65536]
    found = answer(tmp_path / "smpi", program, ranks, topology, HEADED, sizes)
    wanted = flow_answer(tmp_path / "flow", program, ranks, topology, HEADED, sizes)
    for size in sizes:
        ratio = found["program_time_s", size] / wanted["program_time_s", size]
        assert 0.88 < ratio < 1.02


#: The delay of hops comes before a message flows in SMPI, and behind it in flow.
NO_HOPS = {**HEADED, "hop_latency_s": 0.0}


@pytest.mark.parametrize(
    ("program", "arguments"), [("halo_exchange", ["4x4", "3", "1e-6"]), ("random_ring", [])]
)
def test_neighbours_exchange_as_in_flow(tmp_path: Path, program: str, arguments: list[str]) -> None:
    asked = (program, 16, TORUS_16, NO_HOPS, [800], arguments)
    found, wanted = answer(tmp_path / "smpi", *asked), flow_answer(tmp_path / "flow", *asked)
    for key, value in found.items():
        assert value == pytest.approx(wanted[key], rel=1e-9)


#: A tree whose links between switches have half of the network's rate, one of them a third.
SLOWER = {
    "kind": "fat_tree", "k": 2, "levels": 3, "routing": "dmodk", "nodes": 8, "taper": 2.0,
    "links": [{"channels": ["up/0/0/0", "down/0/0/0"], "slower": 3.0}],
}  # fmt: skip


@pytest.mark.parametrize(("hop_latency_s", "off"), [(0.0, 1e-9), (1e-7, 0.05)])
def test_over_links_of_several_speeds_only_the_delay_of_hops_differs(
    tmp_path: Path, hop_latency_s: float, off: float
) -> None:
    """Flows of the broadcast meet on slow links: it matters whether they wait before or behind."""
    program = written(tmp_path, "MGEN_Bcast(NULL, bytes, MGEN_BYTE, 0, MGEN_COMM_WORLD);")
    asked = (program, 8, SLOWER, {**HEADED, "hop_latency_s": hop_latency_s}, [800, 16000])
    found, wanted = answer(tmp_path / "smpi", *asked), flow_answer(tmp_path / "flow", *asked)
    ratios = [value / wanted[key] - 1 for key, value in found.items()]
    assert max(map(abs, ratios)) < off
    assert (max(map(abs, ratios)) > 1e-9) == (hop_latency_s > 0)


def test_overheads_are_those_of_the_software(tmp_path: Path) -> None:
    software = {"send_overhead_s": 2e-7, "receive_overhead_s": 3e-7}
    found = answer(tmp_path, "pingpong", 2, PAIR, {**NETWORK, "software": software}, [8])
    expected = 2e-7 + 1e-6 + (8 + ENVELOPE) / RATE + 3e-7
    assert found["one_way_time_s", 8] == pytest.approx(expected, rel=CLOCK)


def test_only_a_rendezvous_waits_for_its_receive(tmp_path: Path) -> None:
    body = """
        if (rank == 0) MGEN_Send(NULL, bytes, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD);
        MGEN_Sample("sent_s", rank == 0 ? MGEN_Wtime() : 0);
        if (rank == 1) {
            MGEN_Comp(1e-3);
            MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
        }"""
    program = written(tmp_path, body)
    found = answer(tmp_path, program, 2, PAIR, sizes=[1000, 1001], eager_limit_bytes=1000)
    assert found["sent_s", 1000] == 0
    assert found["program_time_s", 1000] == pytest.approx(1e-3, rel=CLOCK)
    late_s = 1e-3 + 1e-6 + (1001 + ENVELOPE) / RATE
    assert found["sent_s", 1001] == pytest.approx(late_s, rel=CLOCK)
    assert found["program_time_s", 1001] == pytest.approx(late_s, rel=CLOCK)


def test_computing_takes_the_time_that_it_says_and_looking_goes_on(tmp_path: Path) -> None:
    body = """
        static int calls;
        calls++;
        if (calls != 1) return 3; /* every rank has globals of its own */
        MGEN_Comp(51.8e-9);
        MGEN_Sample("computed_s", MGEN_Wtime());
        if (rank == 0) { MGEN_Comp(1e-6); MGEN_Send(NULL, 0, MGEN_BYTE, 1, 0, MGEN_COMM_WORLD); }
        if (rank == 1) {
            MGEN_Request request;
            int done = 0;
            MGEN_Irecv(NULL, 0, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, &request);
            while (!done) MGEN_Test(&request, &done, MGEN_STATUS_IGNORE);
        }"""
    found = answer(tmp_path, written(tmp_path, body), 2, PAIR)
    assert found["computed_s", None] == pytest.approx(51.8e-9, rel=CLOCK)
    arrived_s = 51.8e-9 + 1e-6 + 1e-6 + ENVELOPE / RATE
    assert arrived_s - 1e-15 <= found["program_time_s", None] < arrived_s + 2e-9
