"""The first panel of a figure is that of the engine which the answer is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from figure_samples import drawn

pytestmark = pytest.mark.slow


def test_panels_of_engines_begin_with_the_one_nearest_to_the_machine(tmp_path: Path) -> None:
    figure = {"bar": {"x": "options.placement", "y": "job1_slowdown", "row": "engine"}}
    answers = [
        (engine, {"options.placement": name}, "job1_slowdown", 1.1)
        for engine in ("flow", "packet")
        for name in ("linear", "random")
    ]
    (drawing,) = drawn(tmp_path, [figure], answers)
    assert [panel.name for panel in drawing.panels] == ["engine = packet", "engine = flow"]
