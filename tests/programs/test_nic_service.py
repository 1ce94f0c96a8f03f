"""How NICs serve the messages that they have: the same in `flow`, `packet` and `rdma`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from weft.config.model.network import Network

from tests.programs.simulator import HERE, PACKET_OPTIONS, ROOT, simulated

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]
PACKETS = ("packet", "rdma")
#: Routers of `packet` as those of `rdma` are.
ROUTERS = {**PACKET_OPTIONS, "switching": "virtual_cut_through", "hold_switch_for_packet": True}
EAGER, RENDEZVOUS = 1 << 30, 0


def shipped(name: str, **nic: Any) -> dict[str, Any]:
    """A network of configs/network, with these keys of its section `nic`."""
    text = (ROOT / "configs" / "network" / f"{name}.yaml").read_text()
    raw = yaml.safe_load(text)
    spec: dict[str, Any] = Network.model_validate(raw | {"nic": raw["nic"] | nic}).spec()
    return spec


def times(
    folder: Path, program: Path, ranks: int, network: dict[str, Any], *arguments: str, **more: Any
) -> dict[str, dict[str, float]]:
    """What each engine answers."""
    sizes = [int(more.pop("size"))]
    asked = (folder, program, ranks, sizes, ("{message_bytes}", *arguments), network)
    return {
        engine: simulated(
            *asked,
            engine=engine,
            payload="sizes",
            **(ROUTERS if engine == "packet" else {}),
            **more,
        )
        for engine in ("flow", *PACKETS)
    }


#: Collectives and algorithms in which no rank receives from two at once.
ONE_AT_A_TIME = [
    *(("bcast", each) for each in ("binomial", "scatter_allgather", "scatter_ring_allgather")),
    *(("bcast", each) for each in ("linear", "chain", "binary", "knomial", "split_binary")),
    *(("scatter", each) for each in ("binomial", "linear", "linear_nonblocking")),
    *(("allgather", each) for each in ("ring", "recursive_doubling", "bruck")),
    ("allgather", "neighbor_exchange"),
    *(("allreduce", each) for each in ("ring", "recursive_doubling", "rabenseifner")),
    ("reduce", "chain"),
    *(("alltoall", each) for each in ("pairwise", "bruck", "ring")),
]
#: Where engines are farther apart: the least and the most that `flow` takes in their times.
FARTHER = {
    # The root asks the next rank while a packet of the last message is on its channel. The question
    # waits for the packet, and shares the channel in `flow`: 57 of 545 ns for each rank.
    ("opennsim_table3", "scatter", "linear", RENDEZVOUS, 1 << 10): (0.90, 1.05),
    # DMA has read a message at one instant: its packet can leave, and the root asks the next rank.
    # In `flow` and `rdma` the question waits until the message has left, for 264 of 928 ns for each
    # rank. In `packet` the question comes first.
    ("infiniband_qdr", "scatter", "linear", RENDEZVOUS, 1 << 10): (0.95, 1.36),
    # Packets free the root when DMA has read the last of them, `flow` when the message has left,
    # a packet's 162 ns later: of 1,098 ns for each rank.
    ("infiniband_hdr", "scatter", "linear", RENDEZVOUS, 1 << 14): (0.95, 1.14),
    # After the scatter ranks are out of step: questions and answers of one wait for the packet that
    # its NIC sends, up to 264 ns of 1,700 for each step. With packets of 544 B they are within 2 %.
    ("opennsim_table3", "bcast", "scatter_ring_allgather", RENDEZVOUS, 1 << 14): (0.88, 1.05),
    # At the end a rank does receive from two at once: the other half comes from its partner while
    # the last packets of its own half come. Packets go one by one in the order of their arrival.
    # Over InfiniBand QDR, whose DMA is slower than its link, each waits for 720 ns behind one of
    # the partner. `flow` writes what has arrived, and the other half has not.
    ("opennsim_table3", "bcast", "split_binary", EAGER, 1 << 14): (0.94, 1.05),
    ("infiniband_qdr", "bcast", "split_binary", EAGER, 1 << 14): (0.91, 1.05),
}


@pytest.mark.parametrize("name", ["opennsim_table3", "infiniband_hdr", "infiniband_qdr"])
@pytest.mark.parametrize(("collective", "algorithm"), ONE_AT_A_TIME)
def test_without_contention_engines_agree(
    name: str, collective: str, algorithm: str, tmp_path: Path
) -> None:
    """On a crossbar no link is shared, if no rank receives from two at once: only NICs decide."""
    program, network = HERE / "one_collective.c", shipped(name)
    for size in (1 << 10, 1 << 14, 1 << 16):
        for limit in (EAGER, RENDEZVOUS):
            options = {"eager_limit_bytes": limit, f"{collective}_algorithm": algorithm}
            found = times(tmp_path, program, 16, network, collective, size=size, **options)
            flow = found["flow"]["program_time_s"]
            least, most = FARTHER.get((name, collective, algorithm, limit, size), (0.95, 1.05))
            for engine in PACKETS:
                ratio = flow / found[engine]["program_time_s"]
                assert least < ratio < most, f"{size} B, eager up to {limit}, {engine}: {ratio:.3f}"


def test_a_broadcast_to_many_takes_the_time_of_packets(tmp_path: Path) -> None:
    """The root has eight messages at once: 2.2 times as long where they shared its NIC."""
    program, network = HERE / "one_collective.c", shipped("opennsim_table3")
    found = times(tmp_path, program, 256, network, "bcast", size=1 << 16, eager_limit_bytes=EAGER)
    for engine in PACKETS:
        ratio = found["flow"]["program_time_s"] / found[engine]["program_time_s"]
        assert ratio == pytest.approx(1, abs=0.05), engine


TWO_MESSAGES = """#include "mgen.h"
#include <stdlib.h>
int MGEN_Main(int argc, char **argv) {
    int rank, bytes = argc > 1 ? atoi(argv[1]) : 0;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Request both[2];
    if (rank == 0) {
        for (int to = 1; to <= 2; to++) {
            MGEN_Isend(NULL, bytes, MGEN_BYTE, to, 0, MGEN_COMM_WORLD, &both[to - 1]);
        }
        MGEN_Waitall(2, both, MGEN_STATUSES_IGNORE);
    } else {
        MGEN_Recv(NULL, bytes, MGEN_BYTE, 0, 0, MGEN_COMM_WORLD, MGEN_STATUS_IGNORE);
    }
    MGEN_Sample("first_s", rank == 1 ? MGEN_Wtime() : 0);
    MGEN_Sample("second_s", rank == 2 ? MGEN_Wtime() : 0);
    return 0;
}
"""


def two_messages(folder: Path, **nic: Any) -> dict[str, dict[str, float]]:
    """When rank 1 and rank 2 have the 1 MiB that rank 0 sends both of them at once."""
    program = folder / "two_messages.c"
    program.write_text(TWO_MESSAGES)
    network = shipped("opennsim_table3", memory_bandwidth=None, **nic)
    return times(folder, program, 3, network, size=1 << 20, eager_limit_bytes=EAGER)


@pytest.mark.parametrize(("service", "early"), [("in_order", 0.5), ("round_robin", 1.0)])
def test_two_messages_leave_one_after_another_or_together(
    service: str, early: float, tmp_path: Path
) -> None:
    """Of two long messages the first is there after half of the time, or with the second."""
    for engine, found in two_messages(tmp_path, service=service, dma_bandwidth=None).items():
        assert found["first_s"] / found["second_s"] == pytest.approx(early, abs=0.01), engine


@pytest.mark.parametrize("unit", ["flit", "packet", "message"])
@pytest.mark.parametrize("rate", ["16 GB/s", "2 GB/s"])
def test_reading_ahead_takes_the_time_of_packets(unit: str, rate: str, tmp_path: Path) -> None:
    """DMA begins with the second message when the last packet of the first begins to leave.

    Memory may be slower than the link or faster.
    """
    found = two_messages(tmp_path, dma_unit=unit, dma_bandwidth=rate)
    for engine in PACKETS:
        for moment in ("first_s", "second_s"):
            ratio = found["flow"][moment] / found[engine][moment]
            assert ratio == pytest.approx(1, abs=0.02), f"{engine}: {moment}"


HELD_BACK = """#include "mgen.h"
#include <stdlib.h>
int MGEN_Main(int argc, char **argv) {
    int rank, bytes = argc > 1 ? atoi(argv[1]) : 0;
    MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);
    MGEN_Request both[2];
    int messages = rank == 0 || rank == 3 ? 1 : 2;
    for (int i = 0; i < messages; i++) {
        if (rank % 2 == 1) {
            int to = i == 0 ? 2 : 0;
            MGEN_Isend(NULL, bytes, MGEN_BYTE, to, 0, MGEN_COMM_WORLD, &both[i]);
        } else {
            MGEN_Irecv(NULL, bytes, MGEN_BYTE, MGEN_ANY_SOURCE, 0, MGEN_COMM_WORLD, &both[i]);
        }
    }
    MGEN_Waitall(messages, both, MGEN_STATUSES_IGNORE);
    MGEN_Sample("shared_s", rank == 2 ? MGEN_Wtime() : 0);
    MGEN_Sample("behind_s", rank == 0 ? MGEN_Wtime() : 0);
    return 0;
}
"""


@pytest.mark.parametrize("service", ["in_order", "round_robin"])
@pytest.mark.parametrize(("channels", "buffer_bytes"), [(4, 1 << 15), (2, 1 << 14), (2, 1 << 13)])
def test_a_message_that_shares_a_link_holds_back_the_next_one_for_what_buffers_do_not_take(
    service: str, channels: int, buffer_bytes: int, tmp_path: Path
) -> None:
    """On a line of four, 1 sends to 2 and then to 0, and 3 sends to 2. One alone takes T.

    Both messages to 2 share its link, and are there after 2 T. In `flow` the NIC of 1 serves the
    first of them until then, and the other one is there after 3 T. Packets of the first move on
    into the K bytes of buffers at the router of 2, away from the route to 0. So it has left its NIC
    after 2 (T − K / b), at least T, and the other one is there T later.
    """
    raw = yaml.safe_load((ROOT / "configs" / "network" / "infiniband_hdr.yaml").read_text())
    raw["router"] |= {"virtual_channels": channels, "vc_buffer": f"{buffer_bytes} B"}
    network = Network.model_validate(raw | {"software": {}, "nic": {"service": service}}).spec()
    program = tmp_path / "held_back.c"
    program.write_text(HELD_BACK)
    line = {"kind": "mesh", "sizes": [4], "nodes": 4}
    size = 1 << 16
    found = times(tmp_path, program, 4, network, size=size, eager_limit_bytes=EAGER, topology=line)
    alone_s, kept_s = size / 25e9, channels * buffer_bytes / 25e9
    # Two routers of 130 ns and three cables of 10 ns.
    head_s = 290e-9
    in_packets_s = max(2 * alone_s, 3 * alone_s - 2 * kept_s)
    if service == "round_robin":
        # Both messages of 1 have half of its link.
        expected = dict.fromkeys(found, 2 * alone_s)
    else:
        expected = {"flow": 3 * alone_s, "packet": in_packets_s, "rdma": in_packets_s}
    for engine, metrics in found.items():
        assert metrics["shared_s"] == pytest.approx(2 * alone_s + head_s, rel=0.05), engine
        assert metrics["behind_s"] == pytest.approx(expected[engine] + head_s, rel=0.05), engine
