"""The question `convergence`: from where on along an axis series differ little."""

from __future__ import annotations

from pathlib import Path

import pytest
from answer_samples import LINE, sentences, stored

pytestmark = pytest.mark.slow


def said(folder: Path, times: dict[str, tuple[float, ...]], **fields: object) -> list[str]:
    """Of the seconds of each topology at k = 2, 4 and 8, held to the first topology."""
    values = [
        ("flow", kind, k, 0, seconds)
        for kind, each in times.items()
        for k, seconds in zip((2, 4, 8), each, strict=True)
    ]
    asked = {"kind": "along", "to": "first", "of": "makespan_s", "over": "topology.k",
             "among": "topology.kind", **fields}  # fmt: skip
    return sentences(stored(folder, values, [{"line": LINE}], answer=[asked]))


def test_the_place_from_which_on_series_are_alike(tmp_path: Path) -> None:
    times = {"mesh": (1e-6, 1e-6, 1e-6), "torus": (1.5e-6, 1.09e-6, 1.02e-6)}
    assert said(tmp_path / "near", times) == [
        "Against mesh, the completion time is within 10% from k = 4 on with torus."
    ]
    assert said(tmp_path / "nearer", times, within=0.05) == [
        "Against mesh, the completion time is within 5% from k = 8 on with torus."
    ]


def test_series_that_stay_apart_or_are_always_alike(tmp_path: Path) -> None:
    times = {"mesh": (1e-6, 1e-6, 1e-6), "torus": (1e-6, 1.01e-6, 1e-6),
             "tree": (1e-6, 1e-6, 0.5e-6)}  # fmt: skip
    assert said(tmp_path, times) == [
        "Against mesh, the completion time is within 10% throughout with torus; and still 50.0%"
        " lower at k = 8, the last value, with tree."
    ]
