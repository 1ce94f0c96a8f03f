"""Bars stand on something, whatever the axis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from report_samples import CONFIGS, make_plan, point, run
from report_samples import write as stored
from weft.report.curves.charts import charts
from weft.report.curves.rows import figure_data
from weft.report.data.source import open_study
from weft.report.draw.palette import Palette

pytestmark = pytest.mark.slow


def spec(folder: Path, log_y: bool, flag: str | None = None) -> dict[str, Any]:
    """Bars of 1, 10 and 100 seconds; the last has a `flag`."""
    points, metrics = [], []
    for k in (1, 2, 3):
        at = point("flow", {"topology.k": k}, {"topology": {"kind": "torus", "k": k}})
        points.append(at)
        metrics.append({"experiment": "bars", "point_id": at.point_id, "metric": "makespan_s",
                        "message_bytes": None, "value": 10.0 ** (k - 1), "unit": "s",
                        "flag": flag if k == 3 else None})  # fmt: skip
    figures: list[dict[str, Any]] = [
        {"bar": {"x": "topology.k", "y": "makespan_s", "log_y": log_y}}
    ]
    plan = make_plan("bars", points, figures)
    runs = [{"experiment": "bars", **run(at)} for at in points]
    database = stored(folder, [plan], {"metrics": metrics, "runs": runs})
    with open_study(folder / "results/bars/plan.json", database, CONFIGS) as study:
        data = figure_data(study, study.plan.report.figures[0])
        ((_, found),) = charts(data, Palette())
    return found


def test_bars_of_a_logarithmic_axis_stand_on_its_lower_end(tmp_path: Path) -> None:
    bars = spec(tmp_path, log_y=True)["layer"][0]["encoding"]
    foot = bars["y"]["scale"]["domain"][0]
    assert foot <= 0.5
    assert bars["y2"] == {"datum": pytest.approx(foot)}


def test_one_series_of_the_only_engine_has_no_legend(tmp_path: Path) -> None:
    bars = spec(tmp_path, log_y=False)["layer"][0]["encoding"]
    assert bars["color"]["legend"] is None
    assert bars["color"]["scale"]["domain"] == ["flow"]


def test_other_bars_stand_on_zero(tmp_path: Path) -> None:
    assert "y2" not in spec(tmp_path, log_y=False)["layer"][0]["encoding"]


def test_a_bar_that_is_flagged_is_hollow(tmp_path: Path) -> None:
    layers = spec(tmp_path, log_y=False, flag="the times drifted")["layer"]
    hollow = [layer for layer in layers if layer["mark"].get("filled") is False]
    assert [layer["mark"]["type"] for layer in hollow] == ["bar"]
    assert any("flag" in str(each) for each in hollow[0]["transform"])
