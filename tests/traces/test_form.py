"""Reading a trace holds a piece of it, however long it is."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from weft.tables.traces import RANKS_KEY, VERSION_KEY, batches, open_trace

ROWS, GROUPS = 1 << 16, 64
SCHEMA = pa.schema(
    [("rank", pa.int32()), ("call", pa.string()), ("compute_s", pa.float64())],
    metadata={VERSION_KEY: b"1", RANKS_KEY: b"1"},
)


def test_a_trace_is_not_held_whole(tmp_path: Path) -> None:
    path, random = tmp_path / "x.weft-trace", np.random.default_rng(1)
    with pq.ParquetWriter(path, SCHEMA) as writer:
        for _ in range(GROUPS):
            columns = [np.zeros(ROWS, np.int32), ["Compute"] * ROWS, random.random(ROWS)]
            writer.write_table(pa.Table.from_arrays([*map(pa.array, columns)], schema=SCHEMA))
    before_bytes, rows, peak_bytes = pa.total_allocated_bytes(), 0, 0
    file, _ = open_trace(path)
    for batch in batches(file):
        rows += len(batch)
        peak_bytes = max(peak_bytes, pa.total_allocated_bytes() - before_bytes)
    assert rows == ROWS * GROUPS
    assert peak_bytes < path.stat().st_size * 3 / 4
