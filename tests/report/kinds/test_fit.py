"""Figures of fits: measured times, the curve through them, and its residuals below."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import get_args

import pytest
from figure_samples import answered
from report_samples import CONFIGS, Row
from weft.analysis.curve import fit_curve
from weft.analysis.pingpongs import METRICS
from weft.config.model.figures import Fit
from weft.report.data.source import open_study
from weft.report.draw.drawing import Drawing
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawings
from weft.report.pages.build import build_report

SIZES = (0, *(2**n for n in range(21)))
ANSWERS = [("hardware", {"topology.k": 2}, "one_way_time_s", 1e-6)]


def seconds(size: int) -> float:
    """Eager messages up to 64 KiB; behind it a rendezvous, whose bytes take half the time."""
    return 1e-6 + size * 2e-10 if size <= 65536 else 15e-6 + size * 1e-10


def disturbed(size: int) -> float:
    """As `seconds`, but for one size."""
    return seconds(size) * (3 if size == 256 else 1)


def stored(folder: Path, curves: Mapping[str, Row], **figure: object) -> tuple[Path, Path]:
    """An experiment with one figure of a fit, and its calibration."""
    plan, database = answered(folder, [{"fit": dict(figure)}], ANSWERS, "s")
    plan.with_name("calibration.json").write_text(json.dumps({"curves": curves}))
    return plan, database


def shown(folder: Path, curves: Mapping[str, Row], **figure: object) -> Drawing:
    with open_study(*stored(folder, curves, **figure), CONFIGS) as study:
        (drawing,) = figure_drawings(study, study.plan.report.figures, Palette())
        return drawing


def one_way(time_of: object = seconds) -> Row:
    assert callable(time_of)
    return {"one_way": asdict(fit_curve(SIZES, [time_of(size) for size in SIZES]))}


def rows(drawing: Drawing, panel: int, of: str) -> list[Row]:
    return [row for row in drawing.panels[panel].spec["data"]["values"] if row["of"] == of]


def test_a_figure_may_ask_for_each_curve_that_a_ping_pong_gives() -> None:
    assert get_args(Fit.model_fields["y"].annotation) == tuple(METRICS.values())


@pytest.mark.slow
def test_residuals_stand_below_the_curve(tmp_path: Path) -> None:
    drawing = shown(tmp_path, {"inside_node": one_way()})
    assert [panel.name for panel in drawing.panels] == [None, "Residuals"]
    assert [row["x"] for row in rows(drawing, 1, "size")] == list(SIZES)
    assert [row["y"] for row in rows(drawing, 1, "size")] == pytest.approx([0] * 22, abs=1e-9)


@pytest.mark.slow
def test_the_curve_jumps_where_the_protocol_changes(tmp_path: Path) -> None:
    line = rows(shown(tmp_path, {"inside_node": one_way()}), 0, "curve")
    first, second = ([row for row in line if row["piece"] == n] for n in (0, 1))
    assert (first[-1]["x"], second[0]["x"]) == pytest.approx((65536, 65537), rel=1e-4)
    assert first[-1]["y"] == pytest.approx(1e6 * seconds(65536), rel=1e-3)
    assert second[0]["y"] == pytest.approx(1e6 * seconds(65537), rel=1e-3)


@pytest.mark.slow
def test_the_note_says_how_far_the_fit_is_off(tmp_path: Path) -> None:
    notes = shown(tmp_path, {"inside_node": one_way()}).notes
    assert notes == [
        "Inside node: 2 pieces; a jump behind 64 KiB; residuals 0.0% (median), 0.0% (worst);"
        " each size under the fit without it 0.0% and 0.0%. Confidence: good.",
        "Residual: (curve − time) / time.",
    ]


@pytest.mark.slow
def test_a_size_that_the_fit_leaves_out_is_a_cross(tmp_path: Path) -> None:
    drawing = shown(tmp_path, {"inside_node": one_way(disturbed)})
    assert [row["x"] for row in rows(drawing, 0, "size") if row["left_out"]] == [256]
    shapes = [layer["mark"].get("shape") for layer in drawing.panels[1].spec["layer"]]
    assert "cross" in shapes
    assert "Crosses: sizes that the fit leaves out." in drawing.notes[-1]
    assert "inside node,256,3.15" in drawing.csv


@pytest.mark.slow
def test_the_time_of_a_byte_is_net_of_the_time_of_nothing(tmp_path: Path) -> None:
    drawing = shown(tmp_path, {"inside_node": one_way()}, per_byte=True)
    found = {row["x"]: row["y"] for row in rows(drawing, 0, "size")}
    assert min(found) == 512, "the bytes of shorter messages take less than 5 % of their time"
    assert found[1024] == pytest.approx(0.2, rel=1e-6)
    assert found[2**20] == pytest.approx(0.1 + 14e3 / 2**20, rel=1e-6)


@pytest.mark.slow
def test_each_placement_has_its_own_curve(tmp_path: Path) -> None:
    drawing = shown(tmp_path, {"inside_node": one_way(), "between_nodes": one_way(disturbed)})
    assert [panel.name for panel in drawing.panels] == [
        "Between nodes", "Between nodes: residuals", "Inside node", "Inside node: residuals",
    ]  # fmt: skip


@pytest.mark.slow
def test_a_curve_that_was_not_measured_is_missed(tmp_path: Path) -> None:
    drawing = shown(tmp_path, {"inside_node": one_way()}, y="put_time_s")
    assert (drawing.panels, drawing.notes) == (
        (), ["No curve: the calibration has no curve of put_time_s."],
    )  # fmt: skip


@pytest.mark.slow
def test_the_page_holds_the_figure(tmp_path: Path) -> None:
    plan, database = stored(tmp_path, {"inside_node": one_way()})
    build_report(plan, database, CONFIGS, tmp_path / "page.html")
    assert "measured times and the fitted curve" in (tmp_path / "page.html").read_text()
