"""Small uploads that stand for more than any memory holds: their check ends."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from weft.service.preloaded import CallLimits, LimitError, limited, preloading
from weft.service.tasks.composed import composed

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
MODULE = "weft.service.tasks.composed"
LIMITS = CallLimits(processor_s=20, wall_s=600, memory_bytes=2 << 30)
HEAD = """\
title: Bomb
question: Does it go off?
engines: [flow]
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: trace
topology: {dimensions: 2, k: 4}
workload: {file: uploads/a.parquet}
"""
GRAPH = HEAD.replace("/topology: torus", "/topology: graph").replace(
    "/workload: trace", "/workload: uniform"
)
GRAPH = GRAPH[: GRAPH.index("topology: {")] + "topology: {file: uploads/a.graphml}\n"


def rows() -> bytes:
    """Some kilobytes that stand for 200 million messages."""
    file, count = io.BytesIO(), 2_000_000
    columns = {"source": 0, "destination": 1, "bytes": 8}
    table = pa.table({key: pa.array([value] * count, pa.int64()) for key, value in columns.items()})
    with pq.ParquetWriter(file, table.schema, compression="zstd") as writer:
        for _ in range(100):
            writer.write_table(table)
    return file.getvalue()


def entities() -> bytes:
    levels = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    head = f'<?xml version="1.0"?><!DOCTYPE g [<!ENTITY a0 "x">{levels}]>'
    return f'{head}<graphml><graph><node id="&a11;"/></graph></graphml>'.encode()


def said(text: str, files: dict[str, bytes]) -> str:
    """The mistakes, or the limit that the check exceeds."""
    try:
        found = limited(preloading(MODULE), composed, ("bomb", text, files), LIMITS)
    except LimitError as error:
        return f"limit: {error}"
    assert found.mistakes
    return "\n".join(map(str, found.mistakes))


def test_rows_of_parquet_fill_no_memory() -> None:
    content = rows()
    assert len(content) < 4 << 20
    assert any(word in said(HEAD, {"uploads/a.parquet": content}) for word in ("limit", "malloc"))


def test_entities_are_refused() -> None:
    assert "entities are not allowed" in said(GRAPH, {"uploads/a.graphml": entities()})


def test_deep_yaml_ends() -> None:
    assert said("a: " + "[" * 60_000 + "]" * 60_000, {})


def break_down() -> None:
    raise SystemExit(3)


def test_a_call_that_breaks_down_is_an_answer_too() -> None:
    with pytest.raises(LimitError):
        limited(preloading(MODULE), break_down, (), LIMITS)
