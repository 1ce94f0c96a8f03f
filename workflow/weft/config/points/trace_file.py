"""Traces from files: read before anything runs, so that a bad row fails the plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from weft.config.language.errors import unknown
from weft.tables.traces import (
    ANY,
    CALLS,
    LONGEST_S,
    NOBODY,
    Call,
    Number,
    TraceError,
    batches,
    open_trace,
)

#: A column of whole numbers, and which of its rows are meant.
Integers: TypeAlias = npt.NDArray[np.int64]
Chosen: TypeAlias = npt.NDArray[np.bool_]
#: Numbers of requests, communicators and files are places in tables of the replay.
MOST_NUMBERS = 1 << 24


def trace_ranks(root: Path, file: str) -> int | str:
    """How many ranks the trace has, or what is wrong with it."""
    stamp = (root / file).stat()
    return _looked_at(root / file, file, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=64)
def _looked_at(path: Path, file: str, _changed: int, _size: int) -> int | str:
    try:
        trace, ranks = open_trace(path)
        before, seen, last = 0, 0, -1
        for batch in batches(trace):
            rank = batch.column("rank").to_numpy(zero_copy_only=False)
            for row, problem in _problems(batch, rank, ranks, last):
                where = f"row {before + row + 1} (rank {rank[row]}, {batch['call'][row]})"
                return f"{file} {where}: {problem}"
            seen += len(np.unique(rank)) - int(len(rank) > 0 and rank[0] == last)
            before, last = before + len(batch), int(rank[-1]) if len(rank) else last
    except (TraceError, pa.ArrowException, OSError) as error:
        return f"{file} {str(error).splitlines()[0]}"
    if seen != ranks:
        return f"{file} has events of {seen} ranks, but its metadata say {ranks}: is it cut?"
    return ranks


def _problems(
    batch: pa.RecordBatch, rank: Integers, ranks: int, last: int
) -> Iterator[tuple[int, str]]:
    """The first row with each kind of mistake, and the mistake."""
    if not len(batch):
        return
    for name in ("rank", "call"):
        yield from _first(pc.is_null(batch[name]), f"{name} is empty")
    column = {name: batch[name].to_numpy(zero_copy_only=False) for name in _NUMBERS}
    yield from _first((rank < 0) | (rank >= ranks), f"ranks are 0 to {ranks - 1}")
    steps = np.diff(rank, prepend=last if last >= 0 else rank[0]) < 0
    yield from _first(steps, "the events of a rank do not stand together, those of rank 0 first")
    calls = batch["call"].dictionary_encode()
    names = calls.dictionary.to_pylist()
    codes = calls.indices.to_numpy(zero_copy_only=False)
    for code, name in enumerate(names):
        if name not in CALLS:
            yield from _first(codes == code, unknown("call", name, CALLS))
    lengths = pc.fill_null(pc.list_value_length(batch["more"]), 0)
    lengths = lengths.to_numpy(zero_copy_only=False)
    for code, name in enumerate(names):
        yield from _of_call(CALLS[name], codes == code, column, lengths, ranks)
    yield from _of_more(batch["more"], lengths, [CALLS[name] for name in names], codes, ranks)
    compute_s = batch["compute_s"].to_numpy(zero_copy_only=False)
    wrong = (compute_s < 0) | ~(compute_s <= LONGEST_S)
    yield from _first(wrong, f"compute_s must be a number from 0 to {LONGEST_S:g}")
    yield from _first(column["bytes"] < 0, "bytes must be 0 or more")
    yield from _first(column["element_bytes"] < 1, "element_bytes must be 1 or more")
    rest = column["bytes"] % np.maximum(column["element_bytes"], 1)
    yield from _first(rest != 0, "bytes is not a multiple of element_bytes")
    for name in ("comm", "request", "file"):
        wrong = (column[name] < ANY) | (column[name] >= MOST_NUMBERS)
        yield from _first(wrong, f"{name} must be a number from 0 to {MOST_NUMBERS - 1}")


_NUMBERS = ("peer", "bytes", "tag", "comm", "request", "element_bytes", "file")


def _of_call(
    call: Call, chosen: Chosen, column: dict[str, Integers], more: Integers, ranks: int
) -> Iterator[tuple[int, str]]:
    peer, tag = column["peer"], column["tag"]
    if call.peer:
        least = {"to": NOBODY, "from": NOBODY, "root": 0}[call.peer]
        wrong = (peer < least) | (peer >= ranks)
        wrong |= (peer == ANY) & (call.peer != "from")
        yield from _first(chosen & wrong, f"peer is not a rank from 0 to {ranks - 1}")
        wrong = (tag < 0) & ((tag != ANY) | (call.peer != "from"))
        yield from _first(chosen & wrong & (call.peer != "root"), "tag must be 0 or more")
    if call.has_request:
        yield from _first(chosen & (column["request"] < 0), "it needs a request")
    if call.has_file:
        yield from _first(chosen & (column["file"] < 0), "it needs a file or a window")
    if call.more:
        what = f"more must hold {len(call.more)} numbers"
        yield from _first(chosen & (more < len(call.more)), what)


_INT32 = (1 << 31) - 1
#: The least and the most that a number in `more` may be.
_BOUNDS: Mapping[Number, tuple[int, int]] = {
    "bytes": (0, 1 << 62),
    "tag": (ANY, _INT32),
    "request": (0, MOST_NUMBERS - 1),
    "communicator": (ANY, MOST_NUMBERS - 1),
    "color": (-1, _INT32),
    "key": (-_INT32 - 1, _INT32),
    "block": (0, _INT32),
    "flag": (0, 1),
    "sources": (0, _INT32),
    "extent": (0, _INT32),
}


def _of_more(
    more: pa.Array, lengths: Integers, calls: Sequence[Call], codes: Integers, ranks: int
) -> Iterator[tuple[int, str]]:
    """Numbers that are missing, or that would stand for something else."""
    row = np.repeat(np.arange(len(lengths)), lengths)
    of_call = codes[row]
    place = np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    flat = pc.list_flatten(more)
    for each in np.flatnonzero(pc.is_null(flat).to_numpy(zero_copy_only=False))[:1]:
        yield int(row[each]), f"number {place[each] + 1} of more is empty"
    numbers = pc.fill_null(flat, 0).to_numpy(zero_copy_only=False)
    bounds = {**_BOUNDS, "source": (NOBODY, ranks - 1), "rank": (0, ranks - 1)}
    for code, call in enumerate(calls):
        meant: list[tuple[Number, Chosen]] = [(n, place == i) for i, n in enumerate(call.more)]
        meant += [(call.rest, place >= len(call.more))] if call.rest else []
        for name, chosen in meant:
            least, most = bounds[name]
            wrong = chosen & (of_call == code) & ((numbers < least) | (numbers > most))
            for each in np.flatnonzero(wrong)[:1]:
                what = f"number {place[each] + 1} of more is {numbers[each]}"
                yield int(row[each]), f"{what}; as {name} it must be from {least} to {most}"


def _first(bad: Chosen, problem: str) -> Iterator[tuple[int, str]]:
    found = np.asarray(bad)
    if found.any():
        yield int(found.argmax()), problem
