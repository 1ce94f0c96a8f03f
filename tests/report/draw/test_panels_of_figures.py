"""Panels of one figure: ranges and a legend in common, unless they are free."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from figure_samples import drawn, encoding
from weft.config.model.figures import Line, Table
from weft.report.draw.drawing import Drawing

PATTERN, LOAD = "workload.pattern", "workload.injection_rate"
ANSWERS = [
    (engine, {PATTERN: pattern, LOAD: load}, "makespan_s", most * load)
    for engine in ("flow", "packet")
    for pattern, most, loads in (("uniform", 1.0, (0.1, 0.5)), ("tornado", 4.0, (0.2, 0.9)))
    for load in loads
]


def figure(folder: Path, kind: str = "line", **fields: Any) -> Drawing:
    wanted = {"x": LOAD, "y": "makespan_s", "row": PATTERN, **fields}
    return drawn(folder, [{kind: wanted}], ANSWERS, "s")[0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["line", "bar"])
def test_panels_share_their_ranges(tmp_path: Path, kind: str) -> None:
    first, second = (encoding(figure(tmp_path, kind), panel) for panel in (0, 1))
    assert first["x"]["scale"] == second["x"]["scale"]
    assert first["y"]["scale"] == second["y"]["scale"]


@pytest.mark.slow
def test_free_panels_have_ranges_of_their_own(tmp_path: Path) -> None:
    first, second = (encoding(figure(tmp_path, free=True), panel) for panel in (0, 1))
    assert first["x"]["scale"]["domain"] == [0.1, 0.5]
    assert second["x"]["scale"]["domain"] == [0.2, 0.9]
    assert first["y"]["scale"]["domain"][1] < second["y"]["scale"]["domain"][1]


@pytest.mark.slow
def test_bars_that_another_row_would_hide_have_a_range_and_a_unit_of_their_own(
    tmp_path: Path,
) -> None:
    """The bars of a fast network beside those of a slow one, which take 2,000 times as long."""
    answers = [
        (engine, {"network.name": name, PATTERN: pattern}, "makespan_s", seconds * each)
        for engine in ("flow", "packet")
        for name, seconds in (("fast", 2e-6), ("slow", 4e-3))
        for pattern, each in (("uniform", 1.0), ("tornado", 0.5))
    ]

    def bars(folder: str, **more: Any) -> Drawing:
        wanted = {"x": PATTERN, "y": "makespan_s", "row": "network.name", **more}
        return drawn(tmp_path / folder, [{"bar": wanted}], answers, "s")[0]

    own = bars("own")
    assert [encoding(own, panel)["y"]["scale"]["domain"] for panel in (0, 1)] == [
        [0, pytest.approx(2.0, rel=0.25)],
        [0, pytest.approx(4.0, rel=0.25)],
    ]
    titles = [encoding(own, panel)["y"]["axis"]["title"] for panel in (0, 1)]
    assert [title.split("[")[1] for title in titles] == ["µs]", "ms]"]
    assert any(
        note.startswith("Each row has a range of its own") and "×2,000" in note
        for note in own.notes
    )
    for together in (bars("shared", free=False), bars("log", log_y=True)):
        first, second = (encoding(together, panel)["y"]["scale"] for panel in (0, 1))
        assert first == second
        assert not any("range of its own" in note for note in together.notes)


@pytest.mark.slow
def test_panels_have_one_legend(tmp_path: Path) -> None:
    first, second = (encoding(figure(tmp_path), panel)["color"] for panel in (0, 1))
    assert first["legend"]["orient"] == "top"
    assert second["legend"] is None
    assert first["scale"] == second["scale"]


def test_a_figure_without_panels_cannot_be_free() -> None:
    with pytest.raises(ValueError, match="give row, too"):
        Line(x=LOAD, y="makespan_s", free=True)
    with pytest.raises(ValueError, match="a table has no axes"):
        Table(x=LOAD, y="makespan_s", row=PATTERN, free=True)


@pytest.mark.slow
def test_series_that_lie_over_each_other_are_reported(tmp_path: Path) -> None:
    assert "flow and packet coincide." in figure(tmp_path).notes


@pytest.mark.slow
def test_series_that_coincide_in_some_panels_are_reported_with_them(
    tmp_path: Path,
) -> None:
    answers = [
        (e, where, metric, y * (1.2 if e == "flow" and where[PATTERN] == "tornado" else 1))
        for e, where, metric, y in ANSWERS
    ]
    (found,) = drawn(
        tmp_path, [{"line": {"x": LOAD, "y": "makespan_s", "row": PATTERN}}], answers, "s"
    )
    assert "flow and packet coincide at pattern = uniform." in found.notes


@pytest.mark.slow
def test_figures_of_one_title_say_in_what_they_differ(tmp_path: Path) -> None:
    plain = {"x": LOAD, "y": "makespan_s"}
    figures: list[dict[str, Any]] = [
        {"line": {**plain, "where": {PATTERN: "uniform"}}},
        {"line": {**plain, "where": {PATTERN: "tornado"}}},
        {"line": {**plain, "title": "Mine"}},
        {"line": {**plain, "title": "Mine"}},
    ]  # fmt: skip
    titles = [each.title for each in drawn(tmp_path, figures, ANSWERS, "s")]
    assert titles == [
        "Completion time by injection rate (pattern = uniform)",
        "Completion time by injection rate (pattern = tornado)",
        "Mine",
        "Mine (2)",
    ]
