"""Traces: the Parquet file becomes the file that `programs/replay/` reads.

It has a head (magic, number of ranks, number of names of calls), the names, for each rank where its
events begin and end, and the events: 48 bytes each, and the numbers of `more` behind. All numbers
are little-endian; `programs/replay/replay.h` declares them.
"""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from weft.engines.base import EngineError
from weft.engines.order import ResolvedOrder, ResolvedPoint
from weft.plan.spec import WorkloadSpec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

MAGIC = b"weft-tr1"
_HEAD = struct.Struct("<8sqq")
_NAME = 32
#: 64-bit words of an event without `more`.
_WORDS = 6
_PAIRS = (("call", "peer"), ("tag", "comm"), ("request", "element_bytes"), ("more", "file"))


def prepare_traces(order: ResolvedOrder, directory: Path) -> ResolvedOrder:
    """The order with every trace in the form of the replay, in `directory`."""
    return {**order, "points": [_prepared(point, directory) for point in order["points"]]}


def _prepared(point: ResolvedPoint, directory: Path) -> ResolvedPoint:
    workload = _of_workload(point["workload"], directory)
    if jobs := workload.get("jobs"):
        workload = {**workload, "jobs": [_of_workload(job, directory) for job in jobs]}
    return {**point, "workload": workload}


def _of_workload(workload: WorkloadSpec, directory: Path) -> WorkloadSpec:
    from weft.tables.traces import ENDING

    file = workload.get("input")
    if file is None or not file.endswith(ENDING):
        return workload
    digest = workload["input_sha256"] or ""
    target = directory / f"trace-{digest[:12]}.bin"
    if not target.exists():
        with Path(file).open("rb") as content:
            if hashlib.file_digest(content, "sha256").hexdigest() != digest:
                raise EngineError(f"{file} has changed since the plan was made: run it again")
        compact(Path(file), target)
    # The simulator need not read a large file to compare what this module has made.
    return {**workload, "input": str(target), "input_sha256": None}


def notes_of_traces(workload: WorkloadSpec) -> list[str]:
    """What the traces that a point replays count otherwise than those that they were made from.

    Empty where a trace is no longer there.
    """
    from weft.tables.traces import ENDING, TraceError, trace_notes

    files = [each.get("input") for each in (workload, *(workload.get("jobs") or ()))]
    found = []
    for file in dict.fromkeys(file for file in files if file and file.endswith(ENDING)):
        try:
            found += [f"{Path(file).name}: {note}" for note in trace_notes(Path(file))]
        except TraceError:
            continue
    return found


def compact(source: Path, target: Path) -> None:
    """Write the trace `source` for the replay, a piece at a time.

    Raises EngineError when it cannot be read.
    """
    import numpy as np
    import pyarrow as pa

    from weft.tables.traces import CALLS, TraceError, batches, open_trace

    names, temporary = list(CALLS), target.with_suffix(".part")
    try:
        trace, ranks = open_trace(source)
        bounds = np.zeros((ranks, 2), np.int64)
        with temporary.open("wb") as out:
            out.write(_HEAD.pack(MAGIC, ranks, len(names)))
            out.writelines(name.encode().ljust(_NAME, b"\0") for name in names)
            where = out.tell()
            place = out.seek(where + bounds.nbytes)
            for batch in batches(trace):
                words, starts = _words(batch, names)
                rank = batch["rank"].to_numpy(zero_copy_only=False)
                out.write(words.tobytes())
                for each in np.unique(rank):
                    first, last = np.searchsorted(rank, [each, each + 1])
                    begin, end = place + 8 * starts[first], place + 8 * starts[last]
                    bounds[each] = (bounds[each, 0] or begin, end)
                place += words.nbytes
            out.seek(where)
            out.write(bounds.astype("<i8").tobytes())
    except (TraceError, pa.ArrowException, OSError) as error:
        raise EngineError(f"{source} cannot be read any more: {error}") from error
    temporary.replace(target)


def _words(
    batch: pa.RecordBatch, names: list[str]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The events of a batch as 64-bit words, and where each begins among them; one more for the
    end."""
    import numpy as np
    import pyarrow.compute as pc

    def numbers(name: str) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = batch[name].to_numpy(zero_copy_only=False)
        return found

    calls = batch["call"].dictionary_encode()
    codes = np.array([names.index(name) for name in calls.dictionary.to_pylist()], np.int32)
    column = {"call": codes[calls.indices.to_numpy(zero_copy_only=False)]}
    lengths = pc.fill_null(pc.list_value_length(batch["more"]), 0)
    lengths = lengths.to_numpy(zero_copy_only=False).astype(np.int64)
    column["more"] = lengths
    column |= {name: numbers(name) for pair in _PAIRS for name in pair if name not in column}
    starts = np.concatenate([[0], np.cumsum(_WORDS + lengths)])
    words = np.zeros(starts[-1], "<i8")
    at = starts[:-1]
    words[at] = numbers("compute_s").astype("<f8").view("<i8")
    words[at + 1] = numbers("bytes")
    for place, (low, high) in enumerate(_PAIRS, start=2):
        both = np.stack([column[low], column[high]], axis=1).astype("<i4")
        words[at + place] = both.view("<i8")[:, 0]
    flat = pc.list_flatten(batch["more"]).to_numpy(zero_copy_only=False)
    if len(flat):
        inner = np.arange(len(flat)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        words[np.repeat(at + _WORDS, lengths) + inner] = flat
    return words, starts
