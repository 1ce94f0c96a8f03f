"""Categories have the order of the file, and notes name the means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from report_samples import CONFIGS, make_plan, point, run
from report_samples import write as stored
from weft.report.curves.rows import FigureData, figure_data
from weft.report.data.source import open_study

pytestmark = pytest.mark.slow

UNIT = "network.nic.dma_unit"
CLASSES = "network.router.torus_classes"


def drawn(folder: Path, figure: dict[str, Any]) -> FigureData:
    """Settings of a router and its NIC, two message sizes each."""
    points, metrics = [], []
    for classes in ("dateline", "balanced"):
        for unit in ("flit", "packet", "message"):
            asked = {UNIT: unit, CLASSES: classes}
            at = point("rdma", asked, {"options": {"asked": asked}})
            points.append(at)
            metrics += [
                {"experiment": "order", "point_id": at.point_id, "metric": "program_time_s",
                 "message_bytes": size, "value": size * 1e-9, "unit": "s"}
                for size in (1024, 2048)
            ]  # fmt: skip
    plan = make_plan("order", points, [{"line": {"y": "program_time_s", **figure}}])
    runs = [{"experiment": "order", **run(at)} for at in points]
    database = stored(folder, [plan], {"metrics": metrics, "runs": runs})
    with open_study(folder / "results/order/plan.json", database, CONFIGS) as study:
        return figure_data(study, study.plan.report.figures[0])


def test_words_stand_in_the_order_of_the_plan(tmp_path: Path) -> None:
    data = drawn(tmp_path, {"x": UNIT, "row": CLASSES})
    assert data.panels == ["dateline", "balanced"]
    assert list(dict.fromkeys(row.x for row in data.rows)) == ["flit", "packet", "message"]


def test_numbers_stand_in_the_order_of_their_size(tmp_path: Path) -> None:
    data = drawn(tmp_path, {"x": "message_bytes", "row": UNIT, "where": {CLASSES: "dateline"}})
    assert [row.x for row in data.rows] == [1024, 2048] * 3


def test_a_mean_over_sizes_is_reported_only_where_there_is_one(tmp_path: Path) -> None:
    note = "Each value is a mean over message size."
    assert note in drawn(tmp_path, {"x": UNIT, "row": CLASSES}).notes
    one = drawn(tmp_path, {"x": UNIT, "row": CLASSES, "where": {"message_bytes": 1024}})
    assert note not in one.notes


def test_a_mean_over_settings_has_no_band_as_if_they_were_replicates(tmp_path: Path) -> None:
    data = drawn(tmp_path, {"x": UNIT, "row": CLASSES})
    assert {(row.n, row.low, row.high) for row in data.rows} == {(2, None, None)}
    assert not [note for note in data.notes if note.startswith("Bands")]
