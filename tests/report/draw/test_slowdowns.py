"""Slowdowns are dots around 1, the time of a job alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from figure_samples import drawn

pytestmark = pytest.mark.slow
FIGURE = {"bar": {"x": "options.placement", "y": "job1_slowdown"}}
ANSWERS = [
    ("flow", {"options.placement": name}, "job1_slowdown", value)
    for name, value in {"linear": 1.0, "random": 1.3, "lucky": 0.98}.items()
]


def test_a_slowdown_is_a_dot_on_a_stem_from_one(tmp_path: Path) -> None:
    (drawing,) = drawn(tmp_path, [FIGURE], ANSWERS)
    layers = drawing.panels[0].spec["layer"]
    stem = layers[0]["encoding"]
    assert stem["y2"]["datum"] == 1
    assert any(layer["mark"]["type"] == "point" for layer in layers)
    low, high = stem["y"]["scale"]["domain"]
    assert 0.9 < low < 0.98
    assert 1.3 < high < 1.4
