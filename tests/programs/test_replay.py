"""The replay of a program's calls takes as long as the program."""

from typing import Any

import pytest

from tests.programs.simulator import ROOT, run_point
from tests.programs.traced import alltoall, of_ranks, pingpong, replayed, stencil

ENGINES = ("flow", "packet", "rdma")
#: A network on which sizes matter, and calls and copies take time.
NETWORK: dict[str, Any] = {"bandwidth_bytes_per_s": 4e9, "latency_s": 1e-6, "hop_latency_s": 1e-7}
OPTIONS: dict[str, Any] = {"eager_limit_bytes": 4096}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("size", [0, 700, 20000])
def test_a_pingpong_takes_as_long(engine, size, tmp_path):
    source = ROOT / "programs" / "pingpong.c"
    own, _ = run_point(tmp_path, source, 2, [size], (), NETWORK, engine, **OPTIONS)
    rows = of_ranks(2, lambda rank: pingpong(rank, size))
    again = replayed(tmp_path, rows, 2, engine, network=NETWORK, **OPTIONS)
    assert again["program_time_s"] == own["program_time_s"] > 0


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("algorithm", ["pairwise", "bruck", "mpich"])
def test_an_alltoall_takes_as_long_with_every_algorithm(engine, algorithm, tmp_path):
    source, options = ROOT / "programs" / "alltoall.c", {**OPTIONS, "alltoall_algorithm": algorithm}
    own, _ = run_point(tmp_path, source, 8, [300], (), NETWORK, engine, **options)
    rows = of_ranks(8, lambda rank: alltoall(rank, 8, 300))
    again = replayed(tmp_path, rows, 8, engine, network=NETWORK, **options)
    assert again["program_time_s"] == own["program_time_s"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_stencil_takes_as_long(engine, tmp_path):
    folder = ROOT / "configs" / "experiment" / "stencil"
    sources, header = ["exchange.c", "main.c", "strip.c"], "include/stencil.h"
    build = {"root": str(folder), "language": "c", "sources": sources, "include": ["include"]}
    build |= {
        "defines": ["WIDTH=64"],
        "flags": [],
        "files": [[p, None] for p in [*sources, header]],
    }
    main = folder / "main.c"
    own, _ = run_point(
        tmp_path, main, 4, None, ("3",), NETWORK, engine, build=build, **OPTIONS
    )  # fmt: skip
    rows = of_ranks(4, lambda rank: stencil(rank, 4, 3, 64))
    again = replayed(tmp_path, rows, 4, engine, network=NETWORK, **OPTIONS)
    assert again["program_time_s"] == own["program_time_s"] > 0


def test_a_message_may_have_more_bytes_than_a_count_holds(tmp_path):
    size = 3 << 30
    rows = [
        {"rank": 0, "call": "Send", "peer": 1, "bytes": size},
        {"rank": 1, "call": "Recv", "peer": 0, "bytes": size},
    ]
    network = {"bandwidth_bytes_per_s": 1e9, "latency_s": 1e-6, "hop_latency_s": 0.0}
    found = replayed(tmp_path, rows, 2, "flow", network=network)
    assert found["payload_bytes"] == size
    assert found["program_time_s"] == pytest.approx(size / 1e9, rel=1e-5)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tag_may_be_any_that_a_trace_holds(engine, tmp_path):
    rows = [
        {"rank": 0, "call": "Send", "peer": 1, "bytes": 8, "tag": tag}
        for tag in (2**31 - 1, 2**30, 2**30 - 1, 0)
    ]
    rows += [{**row, "rank": 1, "call": "Recv", "peer": 0} for row in reversed(rows)]
    assert replayed(tmp_path, rows, 2, engine)["messages"] == 4


def test_computing_and_copying_take_the_time_that_the_trace_says(tmp_path):
    rows = [
        {"rank": 0, "call": "Compute", "compute_s": 2e-3},
        {"rank": 0, "call": "Send", "peer": 1, "compute_s": 1e-3},
        {"rank": 1, "call": "Recv", "peer": -1, "tag": -1},
    ]
    found = replayed(tmp_path, rows, 2, "flow")
    assert found["program_time_s"] == pytest.approx(3.001e-3)


def test_files_take_the_time_of_the_storage_and_hold_nothing(tmp_path):
    here = {"file": 0, "bytes": 1 << 30}
    calls = [{"call": "File_open", "comm": 1, "file": 0}, {"call": "File_write_at", **here},
             {"call": "File_iread", **here, "request": 0}, {"call": "Wait", "request": 0},
             {"call": "File_close", "file": 0}]  # fmt: skip
    storage = {"storage_latency_s": 1e-3, "storage_bandwidth_bytes_per_s": 1e9}
    found = replayed(tmp_path, of_ranks(1, lambda _: calls), 1, "flow", **storage)
    assert found["program_time_s"] == pytest.approx(4e-3 + 2 * (1 << 30) / 1e9)
    assert found["file_bytes"] == 2 << 30


@pytest.mark.parametrize("engine", ENGINES)
def test_collectives_go_on_beside_a_device_and_not_beside_the_rank(tmp_path, engine):
    def took_s(call: str, compute_s: float) -> float:
        begin = {"call": "Iallreduce", "bytes": 400_000, "request": 0}
        calls = [begin, {"call": call, "compute_s": compute_s}, {"call": "Wait", "request": 0}]
        rows = [{"rank": rank, **each} for rank in range(4) for each in calls]
        return replayed(tmp_path, rows, 4, engine, network=NETWORK)["program_time_s"]

    alone_s = took_s("Compute", 0.0)
    assert took_s("Device_compute", 1e-3) == pytest.approx(1e-3, abs=1e-9)
    assert took_s("Device_compute", alone_s / 2) == pytest.approx(alone_s, rel=0.01)
    # Of two rounds only the first, whose messages the call has sent, travels while a rank computes.
    assert took_s("Compute", 1e-3) == pytest.approx(1e-3 + alone_s / 2, rel=1e-3)


def test_an_event_with_a_long_list_is_read_whole(tmp_path):
    requests = list(range(3000))
    send = {"call": "Isend", "peer": 1, "bytes": 8}
    rows = [{"rank": 0, **send, "request": number} for number in requests]
    rows += [{"rank": 0, "call": "Waitall", "more": requests}, {"rank": 0, "call": "Barrier"}]
    rows += 3000 * [{"rank": 1, "call": "Recv", "peer": 0, "bytes": 8}]
    rows += [{"rank": 1, "call": "Barrier"}]
    found = replayed(tmp_path, rows, 2, "flow")
    assert found["messages"] == 3002


REFUSED = [
    ([{"rank": 0, "call": "Recv", "peer": 1, "tag": 4}, {"rank": 1, "call": "Barrier"}],
     ["rank 0 waits in MPI_Recv for a message from rank 1 with tag 4", "rank 1 waits in MPI_Barr"]),
    ([{"rank": 0, "call": "Bcast", "peer": 0}, {"rank": 1, "call": "Barrier"}], ["instead of MPI"]),
    ([{"rank": 0, "call": "Barrier", "comm": 7}, {"rank": 1, "call": "Barrier"}],
     ["rank 0: event 1 of its trace: it uses a communicator that no event has made"]),
    ([{"rank": 0, "call": "Compute"}, {"rank": 0, "call": "Comm_dup", "more": []},
      {"rank": 1, "call": "Barrier"}],
     ["rank 0: event 2 of its trace: its column more is too short"]),
    ([{"rank": 0, "call": "File_read", "file": 2, "bytes": 8}, {"rank": 1, "call": "Compute"}],
     ["rank 0: event 1 of its trace: it uses a file that no event has opened"]),
    ([{"rank": rank, "call": "Cart_create", "more": [2, 0, rank, 3, 1]} for rank in range(2)],
     ["event 1 of its trace: its grid has not one cell for each rank of the new communicator"]),
    ([{"rank": rank, "call": "Cart_create", "more": [2, 0, rank, 2]} for rank in range(2)],
     ["event 1 of its trace: its grid has not one cell for each rank"]),
    ([{"rank": rank, "call": "Dist_graph_create_adjacent", "more": [2, 0, rank, 2, 1]}
      for rank in range(2)], ["event 1 of its trace: it has fewer sources than it says"]),
    ([{"rank": rank, "call": "Dist_graph_create_adjacent", "more": [2, rank, 0, 1, 1]}
      for rank in range(2)], ["a neighbour in its column more is no rank of the new communicator"]),
    ([{"rank": rank, "call": "Neighbor_alltoallv", "more": [8, 8]} for rank in range(2)],
     ["event 1 of its trace: its communicator has no neighbours"]),
    ([{"rank": rank, **row} for rank in range(2) for row in (
        {"call": "Cart_create", "more": [2, 0, rank, 2, 0]},
        {"call": "Neighbor_alltoallv", "comm": 2, "more": [8, 8, 8]})],
     ["event 2 of its trace: its column more is too short"]),
    (2 * [{"rank": 0, "call": "Isend", "peer": 1, "request": 3}] + [{"rank": 1, "call": "Compute"}],
     ["rank 0: event 2 of its trace: its request is still in use"]),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "words"), REFUSED)
def test_calls_that_do_not_fit_together_are_named(rows, words, tmp_path):
    with pytest.raises(AssertionError) as failed:
        replayed(tmp_path, rows, 2, "flow")
    for each in words:
        assert each in str(failed.value)


def test_a_trace_of_another_number_of_ranks_or_another_file_is_refused(tmp_path):
    rows = [{"rank": rank, "call": "Barrier"} for rank in range(3)]
    with pytest.raises(AssertionError, match="the trace has 3 ranks, the run 2"):
        replayed(tmp_path, rows, 3, "flow", run_ranks=2)
