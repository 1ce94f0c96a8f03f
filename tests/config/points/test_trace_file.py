"""Traces with mistakes fail the plan, with row, rank and call."""

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from weft.plan import expand
from weft.tables.traces import SCHEMA, write_trace

from tests.config.conftest import SHIPPED, tree

__all__ = ["tree"]
BODY = """
engines: [%s]
defaults: [override /topology: crossbar, override /network: infiniband_qdr,
           override /workload: replay]
topology: {nodes: 4}
workload: {file: x.weft-trace%s}
"""
ROWS: list[dict[str, Any]] = [
    {"rank": 0, "call": "Send", "peer": 1, "bytes": 8, "compute_s": 1e-6},
    {"rank": 1, "call": "Recv", "peer": -1, "bytes": 8, "tag": -1},
]


@pytest.fixture(autouse=True)
def _replay(tree):
    (tree.root / "programs" / "replay").symlink_to(SHIPPED.parent / "programs" / "replay")


def write(tree, rows=ROWS, ranks=2):
    write_trace(tree.root / "x.weft-trace", ranks, rows)


def test_a_trace_is_a_program_of_as_many_ranks(tree):
    write(tree)
    tree.experiment(BODY % ("flow, packet, rdma", ""))
    points = expand(tree.load())
    workloads = [point.spec["workload"] for point in points]
    assert {(each["kind"], each["program"], each["ranks"]) for each in workloads} == {
        ("program", "replay", 2)
    }
    assert {each["input"] for each in workloads} == {"x.weft-trace"}


def test_another_trace_is_another_point(tree):
    tree.experiment(BODY % ("flow", ""))
    found = set()
    for size in (8, 16):
        write(tree, [{**row, "bytes": size} for row in ROWS])
        found |= {point.point_id for point in expand(tree.load())}
    assert len(found) == 2


WRONG = [
    ({"peer": 2}, "row 1 (rank 0, Send): peer is not a rank from 0 to 1"),
    ({"peer": -1}, "row 1 (rank 0, Send): peer is not a rank"),
    ({"call": "Sand"}, "row 1 (rank 0, Sand): unknown call 'Sand'; did you mean 'Send'"),
    ({"call": None}, "call is empty"),
    ({"bytes": -1}, "bytes must be 0 or more"),
    ({"tag": -1}, "tag must be 0 or more"),
    ({"compute_s": float("nan")}, "compute_s must be a number"),
    ({"compute_s": -1.0}, "compute_s must be a number"),
    ({"call": "Isend"}, "it needs a request"),
    ({"call": "File_read_all"}, "it needs a file"),
    ({"call": "File_sync", "file": 1 << 25}, "file must be a number from 0 to"),
    ({"call": "Sendrecv", "more": [1, 8]}, "more must hold 3 numbers"),
    ({"element_bytes": 3}, "bytes is not a multiple of element_bytes"),
    ({"comm": 1 << 25}, "comm must be a number from 0 to"),
    ({"rank": 7}, "ranks are 0 to 1"),
    ({"call": "Sendrecv", "more": [2, 8, 0]}, "more is 2; as source it must be from -2 to 1"),
    ({"call": "Sendrecv", "more": [1, -8, 0]}, "number 2 of more is -8; as bytes it"),
    ({"call": "Sendrecv", "more": [1, 8, 1 << 32]}, "more is 4294967296; as tag"),
    ({"call": "Waitall", "more": [0, 1 << 61]}, "more is 2305843009213693952; as req"),
    ({"call": "Waitall", "more": [0, None]}, "row 1 (rank 0, Waitall): number 2 of more is empty"),
    ({"call": "Comm_split", "more": [2, 1 << 32, 0]}, "number 2 of more is 4294967296; as color"),
    ({"call": "Cart_create", "more": [2, 0, 0, -2, 1]}, "number 4 of more is -2; as extent it"),
    ({"call": "Dist_graph_create_adjacent", "more": [2, 0, 0]}, "more must hold 4 numbers"),
    ({"call": "Dist_graph_create_adjacent", "more": [2, 0, 0, 1, 2]}, "more is 2; as rank it must"),
    ({"call": "Dist_graph_create_adjacent", "more": [2, 0, 0, -1]}, "more is -1; as sources it"),
    ({"call": "Ineighbor_alltoallv", "more": [8, 8]}, "it needs a request"),
    ({"call": "Comm_dup", "more": [1 << 62]}, "more is 4611686018427387904; as communicator"),
    ({"call": "Reduce_scatter", "more": [8, 8]}, "number 1 of more is 8; as flag it must"),
    ({"call": "Win_post", "file": 0, "more": [0, 2]}, "more is 2; as rank it must be from 0 to 1"),
    ({"call": "Put"}, "it needs a file or a window"),
    ({"call": "Rput", "file": 0}, "it needs a request"),
    ({"call": "Alltoallv", "more": [8, -8, 8, 8]}, "number 2 of more is -8; as block it"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_a_mistake_is_named_with_its_row(tree, change, words):
    write(tree, [{**ROWS[0], **change}, ROWS[1]])
    tree.refuses(BODY % ("flow", ""), "workload.file", words)


def test_the_mistake_of_a_late_row_has_the_number_of_the_row(tree):
    rows = [ROWS[0]] * 300_000 + [ROWS[1]] * 2 + [{**ROWS[1], "bytes": -4}]
    write(tree, rows)
    tree.refuses(BODY % ("flow", ""), "workload.file", "row 300003 (rank 1, Recv): bytes")


def test_ranks_that_are_missing_or_mixed_are_refused(tree):
    write(tree, ranks=3)
    tree.refuses(BODY % ("flow", ""), "workload.file", "events of 2 ranks, but its metadata say 3")
    write(tree, [ROWS[1], ROWS[0]])
    tree.refuses(BODY % ("flow", ""), "workload.file", "do not stand together")


def test_a_cut_file_is_refused(tree):
    write(tree)
    path = tree.root / "x.weft-trace"
    path.write_bytes(path.read_bytes()[:-20])
    tree.refuses(BODY % ("flow", ""), "workload.file", "is not a complete Parquet file")


def test_other_parquet_files_are_no_traces(tree):
    path = tree.root / "x.weft-trace"
    pq.write_table(pa.table({"src": [1]}), path)
    tree.refuses(BODY % ("flow", ""), "workload.file", "it has no weft_trace in its metadata")
    said = SCHEMA.with_metadata({"weft_trace": "1", "ranks": "2"})
    table = pa.Table.from_pylist(ROWS, schema=said)
    pq.write_table(table.append_column("size", pa.array([1, 2])), path)
    tree.refuses(BODY % ("flow", ""), "workload.file", "has a column size")
    pq.write_table(table.drop_columns(["call"]), path)
    tree.refuses(BODY % ("flow", ""), "workload.file", "lacks the column call")


def test_another_number_of_ranks_is_refused(tree):
    write(tree)
    tree.refuses(BODY % ("flow", ", ranks: 4"), "workload.ranks", "x.weft-trace has 2")


@pytest.mark.parametrize("engine", ["model", "smpi", "hardware"])
def test_engines_that_replay_no_traces_say_so(tree, engine):
    write(tree)
    tree.refuses(BODY % (engine, ""), "workload.file", f"{engine} replays no traces; use flow")


def test_a_file_that_is_missing_or_has_another_ending_is_refused(tree):
    tree.refuses(BODY % ("flow", ""), "workload.file", "there is no file x.weft-trace")
    body = BODY.replace("x.weft-trace", "x.goal") % ("flow", "")
    tree.refuses(body, "workload.file", "a trace ends in .weft-trace")
