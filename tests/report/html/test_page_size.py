"""A page holds what a screen can show, and in its CSV all there is."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import duckdb
import pytest
import rdma_samples
from report_samples import CONFIGS, ROOT, downloads
from weft.plan import read_plan
from weft.report.html.compressed_text import packed, unpacked
from weft.report.kinds.timeline.rows import MAX_POINTS
from weft.report.pages.build import build_report

pytestmark = pytest.mark.slow

RECORDED = ROOT / "tests/data/opennsim/throughput_with_barriers.parquet"
_LINES = """
INSERT INTO series BY NAME
SELECT 'full' AS experiment, $id AS point_id, 'link_throughput_bytes_per_s' AS metric, label,
  rate * 1e6 AS value, 'B/s' AS unit, number * 20e-6 AS start_s, (number + 1) * 20e-6 AS end_s
FROM (UNPIVOT (SELECT row_number() OVER () - 1 AS number, * FROM read_parquet($path))
  ON COLUMNS(* EXCLUDE number) INTO NAME label VALUE rate)
"""


def test_what_is_packed_comes_out_again_and_is_the_same_each_time() -> None:
    text = "time_s,value\n1e-06,3 µs\n"
    assert unpacked(packed(text)) == text
    assert packed(text) == packed(text)


def test_the_csv_has_every_interval_though_fewer_are_drawn(tmp_path: Path) -> None:
    graph = [{"timeline": {"graph": "congestion_ratio"}}]
    build_report(
        *rdma_samples.alltoall(tmp_path, graph, 5 * MAX_POINTS), CONFIGS, tmp_path / "p.html"
    )
    (text,) = downloads(tmp_path / "p.html")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 5 * MAX_POINTS
    assert sum(row["congestion_ratio [1]"] == "0.6" for row in rows) == 5 * MAX_POINTS // 8


def test_an_all_to_all_of_2048_ranks_makes_a_small_page(tmp_path: Path) -> None:
    """Links in x, as recorded: 15,002 intervals."""
    graph: dict[str, Any] = {"graph": "link_throughput", "labels": ["x+", "x-"]}
    plan, database = rdma_samples.alltoall(tmp_path, [{"timeline": graph}], 1, name="full")
    at = read_plan(plan).points[0]
    with duckdb.connect(str(database)) as connection:
        connection.execute("DELETE FROM series")
        connection.execute(_LINES, {"id": at.point_id, "path": str(RECORDED)})
    build_report(plan, database, CONFIGS, tmp_path / "p.html")
    (every,) = downloads(tmp_path / "p.html")
    assert every.count(",answer,") == 2 * 15_002
    # 813,561 with every interval drawn, 2,478,230 without compression.
    assert (tmp_path / "p.html").stat().st_size < 700_000
