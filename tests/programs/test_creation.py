"""The messages by which MPI libraries make communicators."""

from math import ceil, log2
from pathlib import Path

import pytest

from tests.programs.simulator import ROOT, simulated

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
PROGRAM = ROOT / "programs" / "group_creation.c"
#: Bytes of MPICH's bits for numbers of communicators, of one number, and of a color with a key.
MASK, NUMBER, SPLIT = 65 * 4, 4, 8


def doubling(p: int) -> int:
    """Messages of a recursive doubling: ranks beyond a power of two join others first."""
    power = 2 ** int(log2(p))
    return power * int(log2(power)) + 2 * (p - power)


#: Call, library, ranks, members: messages, bytes.
COSTS = [
    ("bitmap", "mpich", 12, 5, 4, 4 * (16 + ceil(12 / 8))),
    ("bitmap", "mpich", 16, 16, 15, 15 * (16 + ceil(16 / 8))),
    ("comm_create", "mpich", 8, 3, 2 * doubling(8), 2 * 7 * MASK),
    ("comm_create", "openmpi", 12, 5, 3 * 2 * 11, 3 * 2 * 11 * NUMBER),
    ("comm_create", "openmpi", 8, 8, 3 * 2 * 7, 3 * 2 * 7 * NUMBER),
    # The split begins with what each rank says of itself: recursive doubling among powers of two.
    ("comm_split", "mpich", 8, 3, 3 * doubling(8), 2 * 7 * MASK + 8 * 7 * SPLIT),
    ("comm_split", "openmpi", 8, 3, 3 * 2 * 7 + doubling(8), 3 * 2 * 7 * NUMBER + 8 * 7 * SPLIT),
    *[
        ("comm_create_group", "mpich", p, m, doubling(m), doubling(m) * MASK)
        for p, m in ((12, 5), (12, 8), (40, 33))
    ],
    *[
        ("comm_create_group", "openmpi", p, m, 3 * 2 * (m - 1), 3 * 2 * (m - 1) * NUMBER)
        for p, m in ((12, 5), (12, 8), (40, 33))
    ],
]  # fmt: skip


@pytest.mark.parametrize(("call", "library", "ranks", "members", "messages", "sent"), COSTS)
def test_messages_and_bytes_are_those_of_the_library(
    call: str, library: str, ranks: int, members: int, messages: int, sent: int, tmp_path: Path
) -> None:
    metrics = simulated(tmp_path, PROGRAM, ranks, None, (call, library, str(members), "0"))
    assert metrics["messages"] == messages
    assert metrics["payload_bytes"] == sent


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma"])
@pytest.mark.parametrize("library", ["mpich", "openmpi"])
def test_only_calls_of_all_ranks_wait_for_those_that_compute(
    library: str, engine: str, tmp_path: Path
) -> None:
    times = {
        call: simulated(tmp_path, PROGRAM, 12, None, (call, library, "5", "1e-3"), engine=engine)[
            "creation_time_s"
        ]
        for call in ("bitmap", "comm_create_group", "comm_create", "comm_split")
    }
    assert times["bitmap"] < times["comm_create_group"] < 1e-4
    assert 1e-3 < times["comm_create"] <= times["comm_split"]


@pytest.mark.parametrize(
    ("arguments", "ranks"),
    [(("comm_join", "mpich"), 4), (("comm_split", "intel"), 4), (("bitmap", "mpich", "5"), 4)],
)
def test_what_cannot_be_made_is_refused(
    arguments: tuple[str, ...], ranks: int, tmp_path: Path
) -> None:
    with pytest.raises(AssertionError, match="rank 0 ended with code 2"):
        simulated(tmp_path, PROGRAM, ranks, None, arguments)
