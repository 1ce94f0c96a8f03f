"""Traces of Chakra: the meaning of nodes and groups, and mistakes with file and node.

`tests/traces/chakra/` has what Chakra 1.0's own converter wrote for a step of three layers that are
data parallel, and of two that are model parallel, too. Others are written here, by the numbers of
the schema's fields.
"""

import gzip
import struct
from pathlib import Path
from typing import Any

import pytest
from weft.tables.traces import TraceError
from weft.traces.chakra import chakra_files, chakra_rows

from tests.programs.traced import replayed

SAMPLES = Path(__file__).parent / "chakra"
COMP, SEND, RECV, COLL, METADATA, LOAD = 4, 5, 6, 7, 1, 2
ALL_REDUCE, REDUCE, ALL_GATHER, GATHER, SCATTER, BROADCAST, ALL_TO_ALL = range(7)


def varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    head = b""
    while number > 127:
        head, number = head + bytes([number & 127 | 128]), number >> 7
    return head + bytes([number])


def field(number: int, value: int | bytes) -> bytes:
    """A field of a message: a number, or bytes behind their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name: str, value: int | bool | str | tuple[bool, ...]) -> bytes:
    text = field(1, name.encode())
    if isinstance(value, bool):
        return text + field(27, int(value))
    if isinstance(value, str):
        return text + field(29, value.encode())
    if isinstance(value, tuple):
        return text + field(28, field(1, bytes(value)))
    return text + field(9, value)


def node(number: int, kind: int, *needs: int, us: int = 0, **values: Any) -> bytes:
    found = field(1, number) + field(2, b"n") + field(3, kind)
    found += b"".join(field(5, each) for each in needs) + (field(7, us) if us else b"")
    return found + b"".join(field(10, attribute(*each)) for each in values.items())


METADATA_OF = field(1, b"1.1.1-chakra.0.0.4")


def write(folder: Path, *ranks: list[bytes], first: bytes = METADATA_OF) -> Path:
    for rank, nodes in enumerate(ranks):
        content = b"".join(varint(len(each)) + each for each in (first, *nodes))
        (folder / f"x.{rank}.et").write_bytes(content)
    return folder / "x.0.et"


def rows(source: Path, flops_per_s: float | None = None) -> list[dict[str, Any]]:
    return [{**row} for row in chakra_rows(chakra_files(source), flops_per_s)]


def calls(source: Path, rank: int = 0) -> list[tuple[str, object]]:
    return [
        (row["call"], row.get("bytes", row.get("more", row.get("request", row.get("compute_s")))))
        for row in rows(source)
        if row["rank"] == rank
    ]


def test_a_step_of_data_parallel_layers_reduces_beside_its_computing():
    assert calls(SAMPLES / "data.0.et", rank=3) == [
        ("Device_compute", 1e-4), ("Device_compute", 2e-4), ("Device_compute", 3e-4),
        ("Device_compute", 3.3e-4), ("Iallreduce", 1_200_000), ("Device_compute", 3.2e-4),
        ("Device_compute", 2.3e-4), ("Iallreduce", 800_000), ("Device_compute", 2.2e-4),
        ("Device_compute", 1.3e-4), ("Iallreduce", 400_000), ("Waitall", [0, 1, 2]),
    ]  # fmt: skip


def test_what_needs_a_collective_waits_for_it():
    found = calls(SAMPLES / "hybrid.0.et")
    assert found[:4] == [
        ("Device_compute", 1e-4), ("Iallgather", 50_000), ("Wait", 0), ("Device_compute", 2e-4),
    ]  # fmt: skip
    # The converter counts the whole tensor of 60,000 bytes; each of four ranks gets a share.
    assert ("Ireduce_scatter_block", 15_000) in found


@pytest.mark.parametrize("engine", ["flow", "packet", "rdma"])
def test_a_replayed_step_takes_its_computing_and_the_last_reduction(tmp_path, engine):
    """The others end beside the computing, which is longer than they take."""
    network = {"bandwidth_bytes_per_s": 12.5e9, "latency_s": 1e-6, "hop_latency_s": 1e-7}
    step = replayed(tmp_path, rows(SAMPLES / "data.0.et"), 4, engine, network=network)
    last = [[node(0, COLL, comm_type=ALL_REDUCE, comm_size=400_000)]] * 4
    reduced = replayed(tmp_path, rows(write(tmp_path, *last)), 4, engine, network=network)
    expected = 1830e-6 + reduced["program_time_s"]
    assert step["program_time_s"] == pytest.approx(expected, rel=1e-3)


def test_messages_have_their_partner_size_and_tag(tmp_path):
    sends = [node(7, SEND, comm_dst=1, comm_size=99, comm_tag=5)]
    receives = [node(8, RECV, comm_src=0, comm_size=99, comm_tag=5)]
    found = rows(write(tmp_path, sends, receives))
    wanted = {"bytes": 99, "tag": 5, "request": 0}
    assert found[0] == {"rank": 0, "call": "Isend", "peer": 1, **wanted}
    assert found[2] == {"rank": 1, "call": "Irecv", "peer": 0, **wanted}


def test_nodes_of_all_kinds_keep_their_dependencies(tmp_path):
    nodes = [
        node(3, METADATA, 2),
        node(2, LOAD, 1, tensor_size=4096),
        node(1, RECV, comm_src=0, comm_size=8),
        node(4, COMP, 3, us=7),
        node(5, LOAD, us=9),
        node(6, SEND, comm_dst=0, comm_size=8),
    ]
    assert calls(write(tmp_path, nodes)) == [
        ("Irecv", 8), ("Wait", 0), ("Copy", 4096), ("Device_compute", 7e-6),
        ("Device_compute", 9e-6), ("Isend", 8), ("Wait", 0),
    ]  # fmt: skip


def test_operations_take_as_long_as_a_processor_needs(tmp_path):
    source = write(tmp_path, [node(0, COMP, num_ops=3_000_000)])
    assert rows(source, 1e9)[0]["compute_s"] == pytest.approx(3e-3)
    with pytest.raises(TraceError, match=r"x\.0\.et node 0 .* say how many a second, by --flops"):
        rows(source)


def test_groups_without_a_common_rank_are_made_by_one_split(tmp_path):
    def rank(tensor: str, data: str) -> list[bytes]:
        reduced = {"comm_type": ALL_REDUCE, "comm_size": 64}
        return [
            node(0, COLL, pg_name=tensor, **reduced),
            node(1, COLL, 0, pg_name=data, **reduced),
            node(2, COLL, 1, **reduced),
        ]

    source = write(tmp_path, rank("a", "c"), rank("a", "d"), rank("b", "c"), rank("b", "d"))
    found = rows(source)
    splits = [row["more"] for row in found if row["call"] == "Comm_split"]
    assert splits == [
        [2, 0, 0], [3, 0, 0], [2, 0, 1], [3, 1, 0], [2, 1, 0], [3, 0, 1], [2, 1, 1], [3, 1, 1],
    ]  # fmt: skip
    assert [row["comm"] for row in found if row["call"] == "Iallreduce"] == [2, 3, 0] * 4
    assert replayed(tmp_path, found, 4, "flow")["program_time_s"] > 0


def test_a_group_of_all_ranks_is_all_ranks(tmp_path):
    whole = [node(0, COLL, pg_name="world", comm_type=BROADCAST, comm_size=64, root=1)]
    found = rows(write(tmp_path, whole, whole))
    assert found[0] == {
        "rank": 0, "call": "Ibcast", "comm": 0, "bytes": 64, "peer": 1, "request": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "call", "size"),
    [
        (ALL_REDUCE, "Iallreduce", 30),
        (REDUCE, "Ireduce", 30),
        (ALL_GATHER, "Iallgather", 30),
        (GATHER, "Igather", 30),
        (SCATTER, "Iscatter", 15),
        (BROADCAST, "Ibcast", 30),
        (ALL_TO_ALL, "Ialltoall", 15),
        (7, "Ireduce_scatter_block", 15),
        (8, "Ireduce_scatter_block", 15),
    ],
)
def test_a_collective_counts_what_a_rank_puts_in(tmp_path, kind, call, size):
    whole = [node(0, COLL, comm_type=kind, comm_size=30)]
    source = write(tmp_path, whole, whole)
    assert calls(source)[0] == (call, size)
    assert replayed(tmp_path, rows(source), 2, "flow")["program_time_s"] > 0


def test_compressed_files_are_read(tmp_path):
    source = write(tmp_path, [node(0, COMP, us=1)])
    source.write_bytes(gzip.compress(source.read_bytes()))
    assert calls(source) == [("Device_compute", 1e-6)]


@pytest.mark.parametrize("kept", range(1, 40, 3))
def test_a_cut_file_is_refused_or_ends_between_nodes(tmp_path, kept):
    source = write(tmp_path, [node(0, COMP, us=1), node(1, COMP, 0, us=1)])
    content = source.read_bytes()
    source.write_bytes(content[:kept])
    ends = {1 + len(METADATA_OF), 2 + len(METADATA_OF) + len(node(0, COMP, us=1))}
    if kept in ends:
        assert len(calls(source)) == 1
    else:
        with pytest.raises(TraceError, match=r"x\.0\.et is cut, or no file of Chakra"):
            rows(source)


def old_node() -> bytes:
    """A node of July 2023: `parent` is field 4 and `attribute` field 11."""
    return field(1, 0) + field(2, b"n") + field(3, 4) + field(11, field(1, b"runtime"))


@pytest.mark.parametrize("first", [old_node(), field(1, field(1, b"version"))])
def test_older_schemas_are_refused_by_name(tmp_path, first):
    with pytest.raises(TraceError, match="is of a schema before October 2023"):
        rows(write(tmp_path, [old_node()], first=first))


BAD = [
    ([node(0, COMP, 9, us=1)], "node 0 (n, COMP_NODE): it depends on node 9, which the file does"),
    ([node(0, COMP, 1), node(1, COMP, 0)], "node 0 (n, COMP_NODE): the operation depends on its"),
    ([node(0, COMP), node(0, COMP)], "node 0 (n, COMP_NODE): the file has this id twice"),
    ([node(0, SEND, comm_size=1)], "node 0 (n, COMM_SEND_NODE): comm_dst is missing"),
    ([node(0, SEND, comm_dst=4, comm_size=1)], "comm_dst is 4, ranks are 0 to 0"),
    ([node(0, SEND, comm_dst=0, comm_size=-1 & 2**64 - 1)], "comm_size is -1, must be a whole"),
    ([node(0, SEND, comm_dst=0, comm_size=1, comm_tag=1 << 31)], "comm_tag is 2147483648, must"),
    ([node(0, COLL, comm_type=10, comm_size=1)], "comm_type is 10, must be 0 to 9"),
    ([node(0, COLL, comm_type="x", comm_size=1)], "comm_type is 'x', must be a whole number"),
    ([node(0, COLL, comm_type=0, comm_size=1, involved_dim=(True, False))], "involved_dim leaves"),
    ([node(0, COLL, comm_type=5, comm_size=1, root=3)], "root is 3, which is not a rank of"),
    ([node(0, 0)], "node 0 (n, INVALID_NODE): weft has nothing for this type of node"),
    ([node(0, 11)], "node 0 (n): the type is 11, must be 1 to 10"),
]  # fmt: skip


@pytest.mark.parametrize(("nodes", "words"), BAD)
def test_a_mistake_is_named_with_file_and_node(tmp_path, nodes, words):
    with pytest.raises(TraceError) as found:
        rows(write(tmp_path, nodes))
    assert "x.0.et" in str(found.value)
    assert words in str(found.value)


def test_the_files_of_all_ranks_are_found_and_needed(tmp_path):
    source = write(tmp_path, *[[node(0, COMP, us=1)]] * 12)
    assert chakra_files(source) == chakra_files(tmp_path)
    assert [path.name for path in chakra_files(tmp_path)][9:11] == ["x.9.et", "x.10.et"]
    (tmp_path / "x.7.et").unlink()
    with pytest.raises(TraceError, match="the file of rank 7 is missing"):
        chakra_files(source)
    (tmp_path / "y.0.et").touch()
    with pytest.raises(TraceError, match="it has those of x, y: name one file"):
        chakra_files(tmp_path)


@pytest.mark.parametrize("content", [b"", b"num_ranks 2\n", struct.pack("<Q", 2**63) * 9])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "x.0.et").write_bytes(content)
    with pytest.raises(TraceError, match=r"x\.0\.et is (empty|cut|of a schema)"):
        rows(tmp_path / "x.0.et")
