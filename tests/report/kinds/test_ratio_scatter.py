"""Ratio figures: the scatter of the reference as a band around 1."""

from __future__ import annotations

from pathlib import Path

import pytest
from packet_samples import stored, value
from report_samples import CONFIGS, Row, make_plan, point, run
from weft.report.data.source import open_study
from weft.report.draw.drawing import Drawing
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawings

#: Measured times by size, three replicates each.
MEASURED = {1024: (0.9e-6, 1.0e-6, 1.1e-6), 2048: (2.0e-6, 2.0e-6, 2.0e-6)}
RATIO = {"x": "message_bytes", "of": "flow", "to": "hardware", "y": "one_way_time_s"}


def shown(folder: Path, replicates: int = 3, **figure: object) -> Drawing:
    spec: Row = {"topology": {"kind": "crossbar"}, "network": {}, "options": {},
                 "workload": {"kind": "program"}}  # fmt: skip
    flow = point("flow", {}, spec)
    points, metrics = (
        [flow],
        [value(flow, "one_way_time_s", size * 1e-6 / 1024, "s", size) for size in MEASURED],
    )
    for number in range(replicates):
        each = point("hardware", {}, spec, number)
        points.append(each)
        metrics += [
            value(each, "one_way_time_s", times[number], "s", size)
            for size, times in MEASURED.items()
        ]
    plan = make_plan("ratios", points, [{"ratio": {**RATIO, **figure}}])
    built = stored(folder, plan, metrics, [run(at) for at in points])
    with open_study(*built, CONFIGS) as study:
        (drawing,) = figure_drawings(study, study.plan.report.figures, Palette())
        return drawing


def band(drawing: Drawing) -> list[tuple[float, float, float]]:
    values = drawing.panels[0].spec["data"]["values"]
    return [(row["x"], row["low"], row["high"]) for row in values if "low" in row]


def test_replicates_of_the_reference_make_a_band(tmp_path: Path) -> None:
    drawing = shown(tmp_path, scatter=True)
    (first, second) = band(drawing)
    assert first[1:] == pytest.approx((0.9, 1.1))
    assert second[1:] == (1.0, 1.0)
    assert drawing.notes[-1] == (
        "Band: replicates of hardware, divided by their mean; the least and the greatest."
    )


@pytest.mark.slow
def test_the_axis_reaches_as_far_as_the_band(tmp_path: Path) -> None:
    spec = shown(tmp_path, scatter=True).panels[0].spec
    low, high = spec["layer"][0]["encoding"]["y"]["scale"]["domain"]
    assert low < 0.9 < 1.1 < high


@pytest.mark.slow
def test_without_being_asked_there_is_no_band(tmp_path: Path) -> None:
    drawing = shown(tmp_path)
    assert (band(drawing), list(drawing.notes)) == ([], [])


@pytest.mark.slow
def test_one_measurement_has_no_scatter(tmp_path: Path) -> None:
    drawing = shown(tmp_path, replicates=1, scatter=True)
    assert (band(drawing), list(drawing.notes)) == ([], [])
