"""Lines and bars show each of the few values that a mean is of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from packet_samples import stored, value
from report_samples import CONFIGS, make_plan, point, run
from weft.report.data.source import open_study
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawings

pytestmark = pytest.mark.slow


def panel(folder: Path, figure: dict[str, Any], seeds: int) -> dict[str, Any]:
    """The drawing of a figure over k = 2 and 4; seed s gives k + s / 10 microseconds."""
    specs = {k: {"topology": {"kind": "torus", "k": k}, "options": {}} for k in (2, 4)}
    points = [point("flow", {"topology.k": k}, specs[k], s) for k in (2, 4) for s in range(seeds)]
    times = [k + s / 10 for k in (2, 4) for s in range(seeds)]
    metrics = [value(p, "makespan_s", t * 1e-6, "s") for p, t in zip(points, times, strict=True)]
    plan = make_plan("replicates", points, [figure])
    with open_study(*stored(folder, plan, metrics, [run(at) for at in points]), CONFIGS) as study:
        (drawing,) = figure_drawings(study, study.plan.report.figures, Palette())
    spec: dict[str, Any] = drawing.panels[0].spec
    return spec


def shown(spec: dict[str, Any]) -> list[list[float]]:
    return [row.get("replicates", []) for row in spec["data"]["values"]]


def small_marks(spec: dict[str, Any]) -> list[dict[str, Any]]:
    return [e for e in spec["layer"] if e["encoding"]["y"].get("field") == "replicate"]


@pytest.mark.parametrize("kind", ["line", "bar"])
def test_each_value_has_a_small_mark_within_the_axis(tmp_path: Path, kind: str) -> None:
    spec = panel(tmp_path, {kind: {"x": "topology.k", "y": "makespan_s"}}, 3)
    assert shown(spec) == [[2, 2.1, 2.2], [4, 4.1, 4.2]]
    assert len(small_marks(spec)) == 1
    axes = [layer["encoding"]["y"] for layer in spec["layer"]]
    low, high = next(axis["scale"]["domain"] for axis in axes if "scale" in axis)
    assert low < 2 < 4.2 < high


@pytest.mark.parametrize("seeds", [1, 30])
def test_one_value_and_very_many_have_none(tmp_path: Path, seeds: int) -> None:
    spec = panel(tmp_path, {"line": {"x": "topology.k", "y": "makespan_s"}}, seeds)
    assert shown(spec) == [[], []]
    assert not small_marks(spec)
