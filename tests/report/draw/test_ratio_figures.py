"""Ratio figures distinguish series and panels, as lines do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import packet_samples
import pytest
from report_samples import CONFIGS
from weft.report.data.source import open_study
from weft.report.draw.drawing import Drawing
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawing

pytestmark = pytest.mark.slow

RATIO = {"x": "workload.injection_rate", "of": "flow", "to": "packet", "y": "accepted_rate"}


def drawn(folder: Path, **fields: Any) -> Drawing:
    built = packet_samples.loads(folder, [{"ratio": {**RATIO, **fields}}])
    with open_study(*built, CONFIGS) as study:
        return figure_drawing(study, study.plan.report.figures[0], "f", "", Palette())


def test_a_ratio_has_a_colour_for_each_value_of_color(tmp_path: Path) -> None:
    (panel,) = drawn(tmp_path, color="topology.kind").panels
    colour = panel.spec["layer"][0]["encoding"]["color"]
    assert colour["scale"]["domain"] == ["torus", "mesh"]
    assert len(set(colour["scale"]["range"])) == 2
    assert panel.spec["layer"][0]["encoding"]["y"]["axis"]["title"] == "flow ÷ packet"


def test_a_ratio_has_series_by_swept_keys_that_it_does_not_name(tmp_path: Path) -> None:
    (panel,) = drawn(tmp_path).panels
    assert {row["series"] for row in panel.spec["data"]["values"]} == {"torus", "mesh"}


def test_a_ratio_of_several_engines_has_a_series_for_each(tmp_path: Path) -> None:
    built = packet_samples.loads(
        tmp_path,
        [{"ratio": {**RATIO, "of": ["flow", "rdma"]}}],
        engines=("flow", "rdma", "packet"),
    )
    with open_study(*built, CONFIGS) as study:
        drawing = figure_drawing(study, study.plan.report.figures[0], "f", "", Palette())
    (panel,) = drawing.panels
    series = {(row["series"], row["y"]) for row in panel.spec["data"]["values"]}
    assert series == {
        ("flow · torus", 2.0),
        ("flow · mesh", 2.0),
        ("rdma · torus", 1.0),
        ("rdma · mesh", 1.0),
    }
    assert panel.spec["layer"][0]["encoding"]["y"]["axis"]["title"] == "Answer ÷ packet"


def test_a_ratio_has_a_panel_for_each_value_of_row(tmp_path: Path) -> None:
    panels = drawn(tmp_path, row="topology.kind").panels
    assert [panel.name for panel in panels] == ["topology = torus", "topology = mesh"]
    assert [len(panel.spec["data"]["values"]) for panel in panels] == [4, 4]
    scales = [panel.spec["layer"][0]["encoding"]["y"]["scale"] for panel in panels]
    assert scales[0] == scales[1]
