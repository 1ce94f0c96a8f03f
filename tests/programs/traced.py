"""The calls of programs, rank by rank, as traces hold them, and their replay."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from weft.config.model.trace import Trace
from weft.engines.traces import compact
from weft.tables.traces import NOBODY, write_trace

from tests.programs.simulator import ROOT, run_line

Row = dict[str, Any]


def replayed(
    folder: Path,
    rows: list[Row],
    ranks: int,
    engine: str,
    run_ranks: int | None = None,
    **options: Any,
) -> dict[str, float]:
    """The metrics of a trace's replay, whose log is `log` in the folder."""
    trace, prepared = folder / "x.weft-trace", folder / "trace.bin"
    write_trace(trace, ranks, rows)
    compact(trace, prepared)
    return replayed_file(folder, prepared, run_ranks or ranks, engine, **options)


def replayed_file(
    folder: Path, prepared: Path, ranks: int, engine: str, **options: Any
) -> dict[str, float]:
    """The same for a prepared trace."""
    sources = [path.split("/", 1)[1] for path in Trace.sources]
    files = [[path, None] for path in [*sources, "replay/replay.h"]]
    build = {"root": str(ROOT / "programs"), "language": "c", "sources": sources}
    build |= {"include": [], "defines": [], "flags": [], "files": files}
    main = ROOT / "programs" / sources[0]
    line, log = run_line(
        folder, main, ranks, None, ("{input}",), options.pop("network", None), engine, None,
        options, prepared, build
    )  # fmt: skip
    (folder / "log").write_text(log)
    assert line["status"] == "done", line["error"]
    return {metric["metric"]: metric["value"] for metric in line["metrics"]}


def alltoall(rank: int, ranks: int, size: int) -> Iterator[Row]:
    """`programs/alltoall.c`, for a power of two of ranks."""
    yield {"call": "Barrier"}
    yield {"call": "Alltoall", "bytes": size}
    yield {"call": "Barrier"}
    yield {"call": "Copy", "bytes": size}
    for step in range(1, ranks):
        yield _both_ways(rank ^ step, size, step)


def stencil(rank: int, ranks: int, steps: int, width: int) -> Iterator[Row]:
    """`configs/experiment/stencil/`."""
    above = rank - 1 if rank > 0 else NOBODY
    below = rank + 1 if rank < ranks - 1 else NOBODY
    for _ in range(steps):
        yield _both_ways(above, 8 * width, 1, source=below, element_bytes=8)
        yield _both_ways(below, 8 * width, 2, source=above, element_bytes=8)
    yield {"call": "Allreduce", "bytes": 8, "element_bytes": 8}


def pingpong(rank: int, size: int) -> Iterator[Row]:
    """`programs/pingpong.c`."""
    peer = 1 - rank
    send = {"call": "Send", "peer": peer, "bytes": size}
    receive = {**send, "call": "Recv"}
    order = [send, receive] if rank == 0 else [receive, send]
    fill = {"call": "Recv" if rank == 0 else "Send", "peer": peer, "tag": 1}
    cross = _both_ways(peer, size, 0)
    barrier = {"call": "Barrier"}
    yield from 3 * [fill, *order]
    yield from [fill, barrier, cross, barrier]
    many = 4 if size > 65536 else 16
    yield from (many + 1) * [order[0]]
    yield from [barrier, cross]
    for call, first in (("Irecv", 0), ("Isend", many)):
        for number in range(many):
            yield {**send, "call": call, "request": first + number}
    yield {"call": "Waitall", "more": list(range(2 * many))}
    yield from [fill, {"call": "Copy", "bytes": size}, barrier]
    put = {"call": "Rdma_put", "peer": peer, "bytes": size, "tag": -1, "request": 0}
    yield from 2 * [put, {"call": "Rdma_complete", "request": 0}] if rank == 0 else []


def of_ranks(ranks: int, program: Any) -> list[Row]:
    """The rows of all ranks; `program` gives those of one."""
    return [{"rank": rank, **row} for rank in range(ranks) for row in program(rank)]


def _both_ways(peer: int, size: int, tag: int, source: int | None = None, **more: Any) -> Row:
    other = peer if source is None else source
    return {"call": "Sendrecv", "peer": peer, "bytes": size, "tag": tag, "more": [other, size, tag],
            **more}  # fmt: skip
