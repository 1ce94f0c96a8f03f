"""Traces of OTF2: calls, times and communicators as Score-P writes them, and what is refused."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from weft.command.trace import trace as command
from weft.tables.traces import TraceError, open_trace, trace_notes
from weft.traces.otf2 import otf2_ranks, otf2_rows

from tests.programs.traced import replayed
from tests.traces.otf2_archive import Archive, anchor, archive, by, ended, to, written


def test_a_rank_computes_between_the_regions_of_mpi(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        trace.ranks[0].compute(30).call("MPI_Send", ("mpi_send", to(trace, 1, 4096, tag=3)))
        trace.ranks[1].compute(1).call("MPI_Comm_rank").compute(2)
        trace.ranks[1].call("MPI_Recv", ("mpi_recv", by(trace, 0, 4096, tag=3)))

    rows = written(tmp_path, 2, fill)
    sizes = {"bytes": 4096, "tag": 3, "comm": 0}
    assert rows == [
        {"rank": 0, "call": "Send", "compute_s": pytest.approx(30e-6), "peer": 1, **sizes},
        {"rank": 1, "call": "Recv", "compute_s": pytest.approx(3e-6), "peer": 0, **sizes},
    ]


def test_what_passes_before_mpi_begins_is_left_out(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        for rank in trace.ranks:
            rank.call("MPI_Barrier", ("mpi_collective_end", ended(trace, "BARRIER", 0, 0)))

    assert [row["compute_s"] for row in written(tmp_path, 2, fill)] == [0.0, 0.0]


def test_computing_behind_the_last_call_is_kept(tmp_path: Path) -> None:
    with archive(tmp_path / "otf2", 1) as trace:
        trace.ranks[0].compute(40).call("MPI_Finalize")
    assert list(otf2_rows(anchor(tmp_path / "otf2"))) == [
        {"rank": 0, "call": "Compute", "compute_s": pytest.approx(40e-6)}
    ]


@pytest.mark.parametrize(
    ("region", "call"),
    [("MPI_Send", "Send"), ("MPI_Ssend", "Ssend"), ("MPI_Rsend", "Rsend"), ("MPI_Bsend", "Send")],
)
def test_the_region_says_how_a_message_is_sent(tmp_path: Path, region: str, call: str) -> None:
    def fill(trace: Archive) -> None:
        trace.ranks[0].call(region, ("mpi_send", to(trace, 1)))
        trace.ranks[1].call("MPI_Recv", ("mpi_recv", by(trace, 0)))

    assert [row["call"] for row in written(tmp_path, 2, fill)] == [call, "Recv"]


def test_a_receive_from_anybody_is_one_from_whom_it_came(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        first, second = trace.ranks
        first.call("MPI_Irecv", ("mpi_irecv_request", {"request_id": 90}))
        first.call("MPI_Isend", ("mpi_isend", to(trace, 1, 10, request_id=91)))
        first.call(
            "MPI_Waitall",
            ("mpi_isend_complete", {"request_id": 91}),
            ("mpi_irecv", by(trace, 1, 20, tag=5, request_id=90)),
        )
        second.call("MPI_Recv", ("mpi_recv", by(trace, 0, 10)))
        second.call("MPI_Issend", ("mpi_isend", to(trace, 0, 20, tag=5, request_id=90)))
        second.call("MPI_Wait", ("mpi_isend_complete", {"request_id": 90}))

    assert written(tmp_path, 2, fill, "call peer bytes tag request more") == [
        {"call": "Irecv", "peer": 1, "bytes": 20, "tag": 5, "request": 0},
        {"call": "Isend", "peer": 1, "bytes": 10, "tag": 7, "request": 1},
        {"call": "Waitall", "more": [1, 0]},
        {"call": "Recv", "peer": 0, "bytes": 10, "tag": 7},
        {"call": "Issend", "peer": 0, "bytes": 20, "tag": 5, "request": 0},
        {"call": "Wait", "request": 0},
    ]


def test_requests_may_end_in_another_order_and_their_numbers_come_again(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        first, second = trace.ranks
        first.call("MPI_Irecv", ("mpi_irecv_request", {"request_id": 7}))
        first.call("MPI_Irecv", ("mpi_irecv_request", {"request_id": 3}))
        first.call("MPI_Isend", ("mpi_isend", to(trace, 1, 10, request_id=5)))
        first.call("MPI_Wait", ("mpi_irecv", by(trace, 1, 40, tag=4, request_id=3)))
        first.call("MPI_Irecv", ("mpi_irecv_request", {"request_id": 3}))
        first.call("MPI_Wait", ("mpi_isend_complete", {"request_id": 5}))
        first.call("MPI_Wait", ("mpi_irecv", by(trace, 1, 60, tag=6, request_id=3)))
        first.call("MPI_Wait", ("mpi_irecv", by(trace, 1, 50, tag=5, request_id=7)))
        second.call("MPI_Recv", ("mpi_recv", by(trace, 0, 10)))
        for size in (40, 50, 60):
            second.call("MPI_Send", ("mpi_send", to(trace, 0, size, tag=size // 10)))

    rows = written(tmp_path, 2, fill)
    shown = ("call", "bytes", "tag", "request")
    assert [{key: row[key] for key in shown if key in row} for row in rows if row["rank"] == 0] == [
        {"call": "Irecv", "bytes": 50, "tag": 5, "request": 0},
        {"call": "Irecv", "bytes": 40, "tag": 4, "request": 1},
        {"call": "Isend", "bytes": 10, "tag": 7, "request": 2},
        {"call": "Wait", "request": 1},
        {"call": "Irecv", "bytes": 60, "tag": 6, "request": 1},
        {"call": "Wait", "request": 2},
        {"call": "Wait", "request": 1},
        {"call": "Wait", "request": 0},
    ]
    metrics = replayed(tmp_path, rows, 2, "flow")
    assert (metrics["messages"], metrics["payload_bytes"]) == (4, 160)


def test_a_test_without_success_takes_no_time_and_is_no_call(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        rank = trace.ranks[0]
        rank.call("MPI_Isend", ("mpi_isend", to(trace, 1, request_id=1)))
        rank.call("MPI_Test", ("mpi_request_test", {"request_id": 1}))
        rank.compute(8).call("MPI_Test", ("mpi_isend_complete", {"request_id": 1}))
        trace.ranks[1].call("MPI_Recv", ("mpi_recv", by(trace, 0)))

    rows = written(tmp_path, 2, fill, "call compute_s")
    assert rows[1] == {"call": "Wait", "compute_s": pytest.approx(8e-6)}


def test_a_cancelled_receive_is_no_call(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        rank = trace.ranks[0]
        rank.call("MPI_Irecv", ("mpi_irecv_request", {"request_id": 1}))
        rank.call("MPI_Send", ("mpi_send", to(trace, 1)))
        rank.call("MPI_Wait", ("mpi_request_cancelled", {"request_id": 1}))
        trace.ranks[1].call("MPI_Recv", ("mpi_recv", by(trace, 0)))

    assert written(tmp_path, 2, fill, "call") == [{"call": "Send"}, {"call": "Recv"}]


def test_a_call_both_ways_is_one_call(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        for own, rank in enumerate(trace.ranks):
            other = 1 - own
            both = ("mpi_send", to(trace, other, 10)), ("mpi_recv", by(trace, other, 20, tag=8))
            rank.call("MPI_Sendrecv", *both)

    assert written(tmp_path, 2, fill, "call peer bytes more")[0] == {
        "call": "Sendrecv", "peer": 1, "bytes": 10, "more": [1, 20, 8],
    }  # fmt: skip


def test_a_call_both_ways_at_the_border_goes_one_way(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        trace.ranks[0].call("MPI_Sendrecv", ("mpi_send", to(trace, 1)))
        trace.ranks[1].call("MPI_Sendrecv", ("mpi_recv", by(trace, 0)))

    assert written(tmp_path, 2, fill, "call") == [{"call": "Send"}, {"call": "Recv"}]


def test_each_communicator_is_made_at_the_begin(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        low, high = trace.comm("low", (1, 0)), trace.comm("high", (2, 3))
        again = trace.comm("again", range(4))
        for own, rank in enumerate(trace.ranks):
            for comm in (low if own < 2 else high, again, trace.alone):
                values = {**ended(trace, "BARRIER", 0, 0), "communicator": comm}
                rank.call("MPI_Barrier", ("mpi_collective_end", values))

    rows = written(tmp_path, 4, fill, "rank call comm more")
    splits = [row["more"] for row in rows if row["call"] == "Comm_split"]
    assert splits == [
        [2, 0, 1], [3, 0, 0], [2, 0, 0], [3, 0, 1], [2, 1, 0], [3, 0, 2], [2, 1, 1], [3, 0, 3],
    ]  # fmt: skip
    assert [row["comm"] for row in rows if row["call"] == "Barrier"] == [2, 3, 1] * 4


def test_a_replayed_ring_takes_its_computing_and_its_messages(tmp_path: Path) -> None:
    def around(trace: Archive) -> None:
        for own, rank in enumerate(trace.ranks):
            rank.compute(100)
            after, before = to(trace, (own + 1) % 4, 10_000), by(trace, (own - 1) % 4, 10_000)
            rank.call("MPI_Sendrecv", ("mpi_send", after), ("mpi_recv", before))

    rows = written(tmp_path, 4, around)
    by_hand = [
        {"rank": own, "call": "Sendrecv", "compute_s": 1e-4, "peer": (own + 1) % 4,
         "bytes": 10_000, "tag": 7, "more": [(own - 1) % 4, 10_000, 7]}
        for own in range(4)
    ]  # fmt: skip
    found = replayed(tmp_path, rows, 4, "flow")["program_time_s"]
    assert found == replayed(tmp_path, by_hand, 4, "flow")["program_time_s"] > 1e-4


def test_a_receive_without_an_end_is_named(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        trace.ranks[1].call("MPI_Irecv", ("mpi_irecv_request", {"request_id": 1}))

    with pytest.raises(TraceError, match=r"rank 1 at .* s: a nonblocking call .* never ends"):
        written(tmp_path, 2, fill)


def test_one_sided_communication_is_refused(tmp_path: Path) -> None:
    def fill(trace: Archive) -> None:
        window = trace.definitions.rma_win("w", comm=trace.world)
        put = {"win": window, "remote": 1, "bytes": 8, "matching_id": 1}
        trace.ranks[0].call("MPI_Put", ("rma_put", put))

    with pytest.raises(TraceError, match=r"rank 0 at .* s: one-sided communication"):
        written(tmp_path, 2, fill)


def test_a_trace_of_no_program_of_mpi_is_refused(tmp_path: Path) -> None:
    import otf2

    with otf2.writer.open(str(tmp_path / "otf2"), timer_resolution=1) as trace:
        node = trace.definitions.system_tree_node("machine")
        group = trace.definitions.location_group("process", system_tree_parent=node)
        location = trace.definitions.location("main", group=group)
        trace.event_writer_from_location(location).enter(1, trace.definitions.region("main"))
    with pytest.raises(TraceError, match="no group of MPI's ranks"):
        otf2_ranks(anchor(tmp_path / "otf2"))


@pytest.mark.parametrize("content", ["", "no trace\n"])
def test_a_file_that_is_no_trace_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.otf2").write_text(content)
    with pytest.raises(TraceError, match=r"x\.otf2 is no whole trace of OTF2"):
        otf2_ranks(tmp_path / "x.otf2")


def test_a_trace_without_the_events_of_a_rank_is_refused(tmp_path: Path) -> None:
    with archive(tmp_path / "otf2", 2) as trace:
        for rank in trace.ranks:
            rank.call("MPI_Barrier", ("mpi_collective_end", ended(trace, "BARRIER", 0, 0)))
    (tmp_path / "otf2/traces/1.evt").unlink()
    with pytest.raises(TraceError, match=r"otf2 is no whole trace of OTF2"):
        list(otf2_rows(anchor(tmp_path / "otf2")))


def test_without_the_package_the_message_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "_otf2", None)
    with pytest.raises(TraceError, match="pip install otf2"):
        otf2_ranks(tmp_path / "x.otf2")


def test_the_command_says_that_the_time_of_files_counts_as_computing(tmp_path: Path) -> None:
    with archive(tmp_path / "otf2", 2) as trace:
        trace.ranks[0].call("MPI_File_write")
        for rank in trace.ranks:
            rank.call("MPI_Finalize")
    source = str(anchor(tmp_path / "otf2"))
    done = CliRunner().invoke(command, ["convert", source, str(tmp_path / "x.weft-trace")])
    assert done.exit_code == 0, done.output
    words = "1 of 2 ranks read or write files; this time counts as computing"
    assert f"{source}: {words}" in done.output
    assert trace_notes(tmp_path / "x.weft-trace") == [words]


def test_the_command_knows_the_format_by_its_ending(tmp_path: Path) -> None:
    with archive(tmp_path / "otf2", 2) as trace:
        for rank in trace.ranks:
            rank.call("MPI_Barrier", ("mpi_collective_end", ended(trace, "BARRIER", 0, 0)))
    target = tmp_path / "x.weft-trace"
    done = CliRunner().invoke(command, ["convert", str(anchor(tmp_path / "otf2")), str(target)])
    assert done.output == f"{target}: 4 events of 2 ranks\n"
    assert open_trace(target)[1] == 2
