"""What SMPI answers beside programs of MGEN with a rank on each node."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.simgrid.points import needs_simgrid, run
from tests.engines.smpi.points import (
    ENVELOPE,
    HEADED,
    NETWORK,
    RATE,
    SMPI,
    answer,
    flow_answer,
    plain,
    point,
    written,
)

pytestmark = [pytest.mark.slow, pytest.mark.long("simgrid")]
PAIR = {"kind": "crossbar", "nodes": 2}
MEMORY = 1e10
WITH_MEMORY = {**HEADED, "nic": {"memory_bytes_per_s": MEMORY}}
SIZES = [0, 1000, 16385, 1_000_000]
#: Rounding of a clock that starts at 1 ms.
CLOCK = 1e-11
#: From the rank FROM to the rank TO.
MESSAGE = """
    if (rank == FROM) MPI_Send(data, bytes, MPI_BYTE, TO, 0, MPI_COMM_WORLD);
    if (rank == TO) MPI_Recv(data, bytes, MPI_BYTE, FROM, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"""


@pytest.fixture(autouse=True)
def _simgrid() -> None:
    needs_simgrid()


def message(sender: int, receiver: int) -> str:
    return MESSAGE.replace("FROM", str(sender)).replace("TO", str(receiver))


def test_a_message_of_a_plain_program_takes_latency_and_bytes(tmp_path: Path) -> None:
    found = answer(tmp_path, plain(tmp_path, message(0, 1)), 2, PAIR, sizes=SIZES)
    for size in SIZES:
        expected = NETWORK["latency_s"] + (size + ENVELOPE) / RATE
        assert found["program_time_s", size] == pytest.approx(expected, rel=CLOCK)


def test_every_rank_of_a_plain_program_has_variables_of_its_own(tmp_path: Path) -> None:
    body = "static int calls; if (++calls != 1) return 9;"
    assert answer(tmp_path, plain(tmp_path, body), 2, PAIR) == {("program_time_s", None): 0.0}


def test_a_plain_program_gets_its_arguments_as_they_are(tmp_path: Path) -> None:
    body = """
        if (argc != 3 || strcmp(argv[1], "7") || strcmp(argv[2], "two words; $HOME *")) return 9;"""
    asked = point(plain(tmp_path, body), 2, PAIR, sizes=[7])
    asked["workload"]["arguments"] = ["{message_bytes}", "two words; $HOME *"]
    (line,) = run(SMPI, tmp_path / "out", [asked])
    assert line["error"] is None, line


def of_mgen(text: str) -> str:
    """The same message as a program of MGEN sends it."""
    renamed = text.replace("MPI_", "MGEN_").replace("data,", "NULL,")
    return renamed.replace("MGEN_STATUS_IGNORE", "NULL")


@pytest.mark.parametrize("order", ["block", "linear"])
def test_ranks_of_one_node_send_through_its_memory(tmp_path: Path, order: str) -> None:
    """Four ranks on two nodes: who is a neighbour depends on their order."""
    near, far = (1, 2) if order == "block" else (2, 1)
    more = {"rank_to_node": order, "ranks_per_node": 2, "eager_limit_bytes": 1 << 20}
    network = WITH_MEMORY
    for other, expected_s in (
        (near, lambda size: (size + ENVELOPE) / MEMORY),
        (far, lambda size: NETWORK["latency_s"] + (size + ENVELOPE) / RATE),
    ):
        program = written(tmp_path, of_mgen(message(0, other)), f"to_{other}")
        folder = tmp_path / str(other)
        found = answer(folder, program, 4, PAIR, network, SIZES, **more)
        for size in SIZES:
            ours = found["program_time_s", size]
            assert ours == pytest.approx(expected_s(size), rel=1e-9, abs=1e-15)


def test_memory_without_a_speed_takes_no_time_as_in_flow(tmp_path: Path) -> None:
    more = {"rank_to_node": "block", "ranks_per_node": 2}
    program = written(tmp_path, of_mgen(message(0, 1)))
    found = answer(tmp_path / "smpi", program, 2, PAIR, sizes=[1000], **more)
    wanted = flow_answer(tmp_path / "flow", program, 2, PAIR, sizes=[1000], **more)
    assert found["program_time_s", 1000] == pytest.approx(wanted["program_time_s", 1000], abs=1e-15)


@pytest.mark.parametrize(
    "placed",
    [{"rank_to_node": "random"}, {"rank_to_node": "measured", "rank_nodes": [7, 2]}],
    ids=["random", "measured"],
)
def test_ranks_are_placed_as_in_flow(tmp_path: Path, placed: dict[str, object]) -> None:
    """On a line of nodes, where it shows how far two ranks are apart."""
    line = {"kind": "mesh", "sizes": [9], "nodes": 9}
    program = written(tmp_path, of_mgen(message(0, 1)))
    found = answer(tmp_path / "smpi", program, 2, line, sizes=[1000], **placed)
    wanted = flow_answer(tmp_path / "flow", program, 2, line, sizes=[1000], **placed)
    first = answer(tmp_path / "linear", program, 2, line, sizes=[1000])
    ours = found["program_time_s", 1000]
    assert ours == pytest.approx(wanted["program_time_s", 1000], rel=1e-9)
    assert ours > first["program_time_s", 1000] + 1e-7
