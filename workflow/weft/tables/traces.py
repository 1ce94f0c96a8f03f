"""The form of traces (`*.weft-trace`): one row per call of a rank; `docs/traces.md` explains it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypedDict

import pyarrow as pa
import pyarrow.parquet as pq

ENDING = ".weft-trace"
VERSION = "1"
#: Keys of the file's metadata.
VERSION_KEY, RANKS_KEY, SOURCE_KEY = b"weft_trace", b"ranks", b"source"
#: A JSON list: what the rows count otherwise than the trace from which they were converted.
NOTES_KEY = b"notes"
#: A call computes at most so long before it.
LONGEST_S = 3.6e9
#: In place of a rank: any, none. In place of a tag: any.
ANY, NOBODY = -1, -2
#: Columns of any whole number become these; NULL is the value beside the type.
COLUMNS: Mapping[str, tuple[pa.DataType, int | float | None]] = {
    "rank": (pa.int32(), None),
    "call": (pa.string(), None),
    "peer": (pa.int32(), NOBODY),
    "bytes": (pa.int64(), 0),
    "tag": (pa.int32(), 0),
    "comm": (pa.int32(), 0),
    "request": (pa.int32(), ANY),
    "element_bytes": (pa.int32(), 1),
    "file": (pa.int32(), ANY),
    "compute_s": (pa.float64(), 0.0),
    "more": (pa.list_(pa.int64()), None),
}


class TraceRow(TypedDict, total=False):
    """One call of a rank, by columns."""

    rank: int
    call: str
    peer: int
    bytes: int
    tag: int
    comm: int
    request: int
    element_bytes: int
    file: int
    compute_s: float
    more: list[int] | None


SCHEMA = pa.schema([(name, kind) for name, (kind, _) in COLUMNS.items()])


#: What a number in the column `more` is; a new communicator may be none.
Number = Literal[
    "source", "bytes", "tag", "request", "communicator", "color", "key", "block", "rank", "flag",
    "sources", "extent",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Call:
    """What a call needs of its row. `peer` is whom it sends to, receives from, or the root."""

    peer: Literal["", "to", "from", "root"] = ""
    has_request: bool = False
    has_file: bool = False
    #: The first numbers in the column `more`, all of which must be there, and what all others are.
    more: tuple[Number, ...] = ()
    rest: Number | None = None


def _calls() -> dict[str, Call]:
    ways = ("send", "ssend", "rsend", "bsend")
    found = {way.capitalize(): Call("to") for way in ways}
    found |= {f"I{way}": Call("to", has_request=True) for way in ways}
    found["Buffer_detach"] = Call()
    found |= {"Recv": Call("from"), "Irecv": Call("from", has_request=True), "Probe": Call("from")}
    found |= {"Wait": Call(has_request=True), "Waitall": Call(rest="request")}
    found["Sendrecv"] = Call("to", more=("source", "bytes", "tag"))
    rooted = ("Bcast", "Reduce", "Gather", "Scatter")
    others = ("Barrier", "Allreduce", "Allgather", "Alltoall", "Scan", "Exscan")
    for name in (*rooted, *others, "Reduce_scatter_block"):
        peer: Literal["", "root"] = "root" if name in rooted else ""
        found[name] = Call(peer)
        found[f"I{name.lower()}"] = Call(peer, has_request=True)
    of_blocks = {"Alltoallv": Call(rest="block"), "Allgatherv": Call(rest="block")}
    of_blocks |= {name: Call("root", rest="block") for name in ("Gatherv", "Scatterv")}
    of_blocks["Reduce_scatter"] = Call(more=("flag",), rest="block")
    of_blocks["Neighbor_alltoallv"] = Call(rest="block")
    found |= of_blocks
    for name, call in of_blocks.items():
        found[f"I{name.lower()}"] = replace(call, has_request=True)
    split: tuple[Number, ...] = ("communicator", "color", "key")
    found["Comm_split"] = Call(more=split)
    found["Cart_create"] = Call(more=split, rest="extent")
    found["Dist_graph_create_adjacent"] = Call(more=(*split, "sources"), rest="rank")
    found |= {"Comm_dup": Call(more=("communicator",)), "Comm_free": Call()}
    found["Comm_idup"] = Call(has_request=True, more=("communicator",))
    found["Comm_create_group"] = Call(more=("communicator",), rest="rank")
    one_sided = Call("to", has_request=True)
    found |= {"Rdma_put": one_sided, "Rdma_get": one_sided, "Rdma_poll": Call()}
    return (
        found
        | {
            "Rdma_complete": Call(has_request=True),
            "Copy": Call(),
            "Compute": Call(),
            "Device_compute": Call(),
        }
        | _calls_of_windows()
        | _calls_of_files()
    )


def _calls_of_windows() -> dict[str, Call]:
    names: tuple[str, ...] = ("create", "allocate_shared", "free", "fence", "complete", "wait")
    names += ("lock_all", "unlock_all", "flush_all", "flush_local_all")
    found = {name: Call(has_file=True) for name in names}
    found |= {name: Call("to", has_file=True) for name in ("unlock", "flush", "flush_local")}
    found["lock"] = Call("to", has_file=True, more=("flag",))
    found |= {name: Call(has_file=True, rest="rank") for name in ("post", "start")}
    found = {f"Win_{name}": call for name, call in found.items()}
    moves: dict[str, tuple[Number, ...]] = {"Put": (), "Get": (), "Get_accumulate": ("bytes",)}
    for name, more in moves.items():
        found[name] = Call("to", has_file=True, more=more)
        found[f"R{name.lower()}"] = Call("to", has_request=True, has_file=True, more=more)
    return found


def _calls_of_files() -> dict[str, Call]:
    # An open that failed has no file.
    found = {"File_open": Call(), "File_delete": Call()}
    others: tuple[str, ...] = ("close", "get_size", "set_size", "preallocate", "sync")
    others += ("set_view", "set_atomicity", "seek_shared")
    for way in ("read", "write"):
        now = [f"{way}{kind}" for kind in ("", "_all", "_at", "_at_all", "_shared", "_ordered")]
        split = [f"{way}{kind}" for kind in ("_all", "_at_all", "_ordered")]
        others += (*now, *(f"{name}_{end}" for name in split for end in ("begin", "end")))
        for kind in ("", "_all", "_at", "_at_all", "_shared"):
            found[f"File_i{way}{kind}"] = Call(has_request=True, has_file=True)
    return found | {f"File_{name}": Call(has_file=True) for name in others}


#: Every call that a trace may hold; `programs/replay/` makes them.
CALLS: Mapping[str, Call] = _calls()


class TraceError(ValueError):
    """A file that is not a trace, or a trace with a mistake; the text does not name the file."""


def open_trace(path: Path) -> tuple[pq.ParquetFile, int]:
    """The file and its number of ranks.

    Raises TraceError.
    """
    try:
        # Read ahead, pyarrow would hold the whole file; without a buffer, a whole group of rows.
        file = pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise TraceError(f"is not a complete Parquet file: {reason}") from error
    said = file.schema_arrow.metadata or {}
    version, ranks = said.get(VERSION_KEY, b"").decode(), said.get(RANKS_KEY, b"").decode()
    if version != VERSION:
        found = f"{VERSION_KEY.decode()} is '{version}'" if version else "it has no weft_trace"
        raise TraceError(f"is not a trace: {found} in its metadata, must be '{VERSION}'")
    if not ranks.isdecimal() or not 0 < int(ranks) < 2**31:
        raise TraceError(f"is not a trace: ranks is '{ranks}' in its metadata, must be 1 or more")
    missing = [name for name in ("rank", "call") if name not in file.schema_arrow.names]
    strange = [name for name in file.schema_arrow.names if name not in COLUMNS]
    if missing or strange:
        word = f"lacks the column {missing[0]}" if missing else f"has a column {strange[0]}"
        raise TraceError(f"{word}; its columns are {', '.join(COLUMNS)}")
    return file, int(ranks)


def trace_notes(path: Path) -> list[str]:
    """What the rows of a trace count otherwise than its source; empty if it does not say."""
    file, _ = open_trace(path)
    stored = (file.metadata.metadata or {}).get(NOTES_KEY, b"[]")
    try:
        found = json.loads(stored)
    except ValueError:
        return []
    return [str(each) for each in found] if isinstance(found, list) else []


def batches(file: pq.ParquetFile) -> Iterable[pa.RecordBatch]:
    """Pieces of the trace with all columns, nothing NULL but `rank`, `call` and `more`.

    Raises TraceError for a column that is of another type.
    """
    for batch in file.iter_batches(batch_size=1 << 18, columns=None):
        arrays = []
        for name, (kind, nothing) in COLUMNS.items():
            try:
                found = (
                    batch.column(name).cast(kind)
                    if name in batch.schema.names
                    else pa.nulls(len(batch), kind)
                )
            except pa.ArrowException as error:
                raise TraceError(f"column {name}: {str(error).splitlines()[0]}") from error
            arrays.append(found if nothing is None else found.fill_null(nothing))
        yield pa.record_batch(arrays, schema=SCHEMA)


def write_trace(
    path: Path,
    ranks: int,
    rows: Iterable[TraceRow],
    source: str = "",
    notes: Sequence[str] = (),
) -> None:
    """Write a trace from rows of its columns, those of rank 0 first; 65,536 rows at a time.

    `notes` are read behind the last row, so `rows` may add some.
    """
    said = {VERSION_KEY: VERSION.encode(), RANKS_KEY: str(ranks).encode()}
    said |= {SOURCE_KEY: source.encode()} if source else {}
    schema = SCHEMA.with_metadata(said)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        held: list[TraceRow] = []
        for row in rows:
            held.append(row)
            if len(held) == 1 << 16:
                writer.write_table(_table(held, schema))
                held = []
        writer.write_table(_table(held, schema))
        if notes:
            writer.add_key_value_metadata({NOTES_KEY: json.dumps([*notes]).encode()})


def _table(rows: Sequence[TraceRow], schema: pa.Schema) -> pa.Table:
    # Half of the time that pyarrow takes for rows.
    arrays = [pa.array([row.get(field.name) for row in rows], field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def write_whole(
    target: Path, ranks: int, rows: Iterable[TraceRow], source: str, notes: Sequence[str] = ()
) -> int:
    """Write a trace, whole or not at all; the number of its events."""
    events = 0

    def counted() -> Iterator[TraceRow]:
        nonlocal events
        for row in rows:
            events += 1
            yield row

    temporary = target.with_name(f".{target.name}.part")
    try:
        write_trace(temporary, ranks, counted(), source, notes)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    return events
