"""Variants name settings that vary together, and numbers of others join their series."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import packet_samples
import pytest
from report_samples import CONFIGS
from weft.plan import Points, read_plan, write_plan
from weft.report.curves.rows import FigureData, figure_data
from weft.report.data.references import comparisons
from weft.report.data.series_values import ANSWER, SeriesValue
from weft.report.data.source import open_study
from weft.report.data.units import series_label
from weft.report.draw.palette import Palette
from weft.report.draw.series_looks import encodings
from weft.report.pages.build import build_report

pytestmark = pytest.mark.slow

LINE = {"x": "topology.k", "y": "accepted_rate"}


def drawn(folder: Path, **fields: Any) -> FigureData:
    built = packet_samples.families(folder, [{"line": {**LINE, **fields}}])
    with open_study(*built, CONFIGS) as study:
        return figure_data(study, study.plan.report.figures[0])


def series(data: FigureData, kind: str = "answer") -> set[str]:
    return {row.series for row in data.rows if row.kind == kind}


def test_a_variant_stands_for_all_settings_that_follow_from_it(tmp_path: Path) -> None:
    names = {"flow", "packet · family A", "packet · family B", "packet · VOQ"}
    assert series(drawn(tmp_path)) == names


def test_the_first_variant_that_fits_names_a_point(tmp_path: Path) -> None:
    rows = drawn(tmp_path).rows
    assert {r.y for r in rows if r.series == "packet · VOQ"} == {0.8}


def test_series_stand_in_the_order_of_the_variants(tmp_path: Path) -> None:
    found = dict.fromkeys(row.series for row in drawn(tmp_path).rows)
    assert list(found) == ["flow", "packet · family A", "packet · VOQ", "packet · family B"]


def test_a_filter_takes_several_values_and_leaves_engines_without_the_option(
    tmp_path: Path,
) -> None:
    found = series(drawn(tmp_path, where={"variant": ["family B", "VOQ"], "topology.k": [4, 6]}))
    assert found == {"flow", "packet · family B", "packet · VOQ"}


def test_a_filter_on_an_option_leaves_engines_without_it(tmp_path: Path) -> None:
    found = series(drawn(tmp_path, where={"options.vc_buffer_flits": 2}))
    assert found == {"flow", "packet · family A"}


def test_a_band_spans_two_metrics(tmp_path: Path) -> None:
    data = drawn(tmp_path, band=["accepted_rate_min", "accepted_rate_max"])
    ends = {(r.low, r.high) for r in data.rows if r.series == "packet · family B"}
    assert ends == {(0.25, 0.6)}


def test_a_measured_value_joins_the_series_with_its_settings(tmp_path: Path) -> None:
    data = drawn(tmp_path, published="mfs/booksim2_figure9")
    assert series(data, "measured") == {"packet · family A", "packet · family B", "packet · VOQ"}
    found = {r.x: r.y for r in data.rows
             if r.kind == "measured" and r.series == "packet · family B"}  # fmt: skip
    assert found[4] == pytest.approx(1.0)
    assert found[6] == pytest.approx(0.186, abs=1e-3)


def test_published_values_are_compared_with_their_engine_and_variant(tmp_path: Path) -> None:
    built = packet_samples.families(tmp_path, [{"line": LINE}])
    with open_study(*built, CONFIGS) as study:
        found = comparisons(study, "accepted_rate", ["mfs/figure9", "mfs/booksim2_figure9"])
    pairs = {(c.of, c.to) for c in found}
    assert ("flow", "published MFS") in pairs
    assert ("packet · VOQ", "BookSim2") in pairs
    assert not {to for of, to in pairs if of == "flow"} - {"published MFS"}
    voq = next(c for c in found if (c.of, c.to) == ("packet · VOQ", "BookSim2"))
    assert voq.matched == 3


def test_unpublished_curves_end_where_our_answers_end(tmp_path: Path) -> None:
    rows = drawn(tmp_path, published="mfs/figure9").rows
    assert {row.x for row in rows if row.kind == "derived"} == {4, 5, 6, 7, 8}
    assert 2 in {row.x for row in rows if row.kind == "published"}


def test_without_a_reference_the_answer_reports_the_best_variant(tmp_path: Path) -> None:
    plan_path, database = packet_samples.families(tmp_path, [{"line": LINE}])
    plan = read_plan(plan_path)
    lone = Points.of(point for point in plan.points if point.engine == "packet")
    write_plan(replace(plan, points=lone[:3]), plan_path)
    build_report(plan_path, database, CONFIGS, tmp_path / "f.html")
    text = (tmp_path / "f.html").read_text()
    assert "VOQ (0.8) has the highest accepted rate" in text
    assert ", ahead of family B (0.5) by ×1.60; then family A (0.2)." in text


def test_no_two_series_of_a_figure_look_alike() -> None:
    palette = Palette()
    first = palette.looks(dict.fromkeys(["flow", "packet · A · 1"], "answer"))
    palette.looks(dict.fromkeys([f"engine {i}" for i in range(4)], "answer"))
    kinds = dict.fromkeys(["flow", "packet · A · 2", "packet · A · 3", "engine 9"], "answer")
    kinds |= dict.fromkeys(["MFS", "Booksim", "other"], "published")
    second = palette.looks(kinds)
    assert len(set(second.values())) == len(kinds)
    assert second["flow"] == first["flow"]
    assert second["packet · A · 2"] == first["packet · A · 1"]


def test_many_series_have_each_a_shape_or_colour_of_their_own() -> None:
    kinds = dict.fromkeys([f"engine {i}" for i in range(20)], "answer")
    kinds |= dict.fromkeys([f"paper {i}" for i in range(8)], "published")
    assert len(set(Palette().looks(kinds).values())) == len(kinds)


def test_words_of_several_keys_of_one_kind_say_whose_they_are() -> None:
    row = {"engine": "rdma", "options.barrier_algorithm": "ring",
           "options.bcast_algorithm": "scatter_allgather"}  # fmt: skip
    assert series_label(row, row) == "rdma · barrier ring · bcast scatter_allgather"
    assert series_label(["options.barrier_algorithm"], row) == "ring"


def test_entries_of_a_legend_below_each_other_may_be_as_long_as_the_chart_is_wide() -> None:
    rows = [SeriesValue(name, ANSWER, 1, 1.0) for name in ("a" * 30, "b")]
    colour = encodings(rows, Palette()).colour
    assert colour.to_dict()["legend"]["labelLimit"] == {"expr": "width - 34"}
