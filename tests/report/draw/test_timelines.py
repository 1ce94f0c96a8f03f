"""Graphs over simulated time, the ranking of congested ports, and histories."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
import rdma_samples
from rdma_samples import FIGURES, INTERVAL
from report_samples import CONFIGS
from weft.report.data.natural_order import natural
from weft.report.data.source import open_study
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawing
from weft.report.kinds.congestion import rankings
from weft.report.kinds.timeline.charts import timeline_charts
from weft.report.kinds.timeline.rows import MAX_POINTS, TimelineData, timeline_data
from weft.report.pages.build import build_report


def drawn(folder: Path, intervals: int = 64, **fields: Any) -> TimelineData:
    plan, database = rdma_samples.alltoall(folder, [{"timeline": fields}], intervals)
    with open_study(plan, database, CONFIGS) as study:
        return timeline_data(study, study.plan.report.figures[0])


@pytest.mark.slow
def test_every_graph_has_a_figure_of_its_own(tmp_path: Path) -> None:
    out = tmp_path / "reports/alltoall.html"
    build_report(*rdma_samples.alltoall(tmp_path, FIGURES), CONFIGS, out)
    text = out.read_text()
    for title in (
        "Network latency over time", "Link throughput over time", "Buffer utilisation over time",
        "Communication latency over time", "Share of links by throughput over time",
        "Congested ports over time", "Ports at which packets waited longest",
    ):  # fmt: skip
        assert f"<h3>{title}</h3>" in text
    assert text.count('class="spec"') == len(FIGURES)


@pytest.mark.slow
def test_a_switched_off_graph_is_not_on_the_page(tmp_path: Path) -> None:
    out = tmp_path / "reports/alltoall.html"
    build_report(*rdma_samples.alltoall(tmp_path, FIGURES[:1]), CONFIGS, out)
    assert "Network latency over time" in out.read_text()
    assert "Link throughput over time" not in out.read_text()


def test_each_class_of_links_has_a_line(tmp_path: Path) -> None:
    data = drawn(tmp_path, graph="link_throughput")
    assert list(dict.fromkeys(one.series for one in data.values)) == ["x+", "x-", "y+", "y-"]
    first = {one.series: one.value for one in data.values if one.time_s == INTERVAL / 2}
    assert first == {"x+": 4e9, "x-": 0.0, "y+": 1e9, "y-": 1e9}


def test_a_timeline_shows_the_classes_and_the_time_it_asks_for(tmp_path: Path) -> None:
    data = drawn(tmp_path, graph="link_throughput", labels=["x+"], start=8e-6, end=16e-6)
    assert {one.series for one in data.values} == {"x+"}
    assert len(data.values) == 8
    assert min(one.time_s for one in data.values) == pytest.approx(8.5e-6)


@pytest.mark.slow
def test_labels_that_nothing_has_are_reported_with_those_that_there_are(tmp_path: Path) -> None:
    data = drawn(tmp_path, graph="link_throughput", labels=["x+", "xx"])
    assert "Nothing is labelled xx; labels are: x+, x-, y+, y-." in data.notes
    assert {one.series for one in data.values} == {"x+"}


@pytest.mark.slow
def test_intervals_without_a_value_are_not_bridged(tmp_path: Path) -> None:
    data = drawn(tmp_path, graph="network_latency")
    assert sum(one.value is None for one in data.values) == 1
    assert sum(one.value is not None for one in data.values) == 62


@pytest.mark.slow
@pytest.mark.parametrize("intervals", [1, 8])
def test_a_value_without_neighbours_is_drawn_as_a_point(intervals: int, tmp_path: Path) -> None:
    # A line through one value cannot be seen.
    (chart,) = timeline_charts(drawn(tmp_path, intervals, graph="link_throughput"))
    rows = chart[1]["data"]["values"]
    marks = [layer["mark"]["type"] for layer in chart[1]["layer"]]
    assert [row.get("alone", False) for row in rows] == [intervals == 1] * len(rows)
    assert ("point" in marks) == (intervals == 1)


def test_a_long_series_is_gathered_and_keeps_its_peaks(tmp_path: Path) -> None:
    data = drawn(tmp_path, 5 * MAX_POINTS, graph="buffer_utilisation")
    assert len(data.values) == MAX_POINTS
    assert data.gathered == 5
    assert max(one.high or 0.0 for one in data.values) == 0.4
    mean = sum(one.value or 0.0 for one in data.values) / MAX_POINTS
    assert mean == pytest.approx((0.4 + 7 * 0.1) / 8)
    assert any("mean over up to 5 intervals" in note for note in data.notes)


def test_shares_of_links_are_stacked_to_one(tmp_path: Path) -> None:
    plan, database = rdma_samples.alltoall(tmp_path, [{"timeline": {"graph": "link_distribution"}}])
    with open_study(plan, database, CONFIGS) as study:
        figure = study.plan.report.figures[0]
        data = timeline_data(study, figure)
        (panel,) = figure_drawing(study, figure, "f", "", Palette()).panels
    at = [one.value or 0.0 for one in data.values if one.time_s == INTERVAL / 2]
    assert sum(at) == pytest.approx(1)
    assert panel.spec["layer"][0]["encoding"]["y"]["stack"] == "zero"


@pytest.mark.slow
def test_points_with_classes_have_panels_and_others_share_one(tmp_path: Path) -> None:
    figures = [{"timeline": {"graph": g}} for g in ("link_throughput", "congestion_ratio")]
    plan, database = rdma_samples.alltoall(tmp_path, figures, eager=(0, 16384))
    with open_study(plan, database, CONFIGS) as study:
        apart, together = (timeline_data(study, f) for f in study.plan.report.figures)
    assert apart.panels == ["Eager limit 0 B", "Eager limit 16 KiB"]
    assert together.panels == [None]
    assert {one.series for one in together.values} == set(apart.panels)


def test_data_of_a_timeline_can_be_downloaded(tmp_path: Path) -> None:
    text = drawn(tmp_path, graph="congestion_ratio").csv()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 64
    assert rows[0]["congestion_ratio [1]"] == "0.6"


def test_the_ranking_shows_the_worst_ports_first(tmp_path: Path) -> None:
    plan, database = rdma_samples.alltoall(tmp_path, [{"congestion": {"count": 3}}])
    with open_study(plan, database, CONFIGS) as study:
        figure = study.plan.report.figures[0]
        (ranking,) = rankings(study, figure).found
        drawing = figure_drawing(study, figure, "f", "", Palette())
    worst = [(port.router, port.port) for port in ranking.ports]
    assert worst == [(0, "x+"), (1, "x-"), (2, "y+")]
    assert ranking.waiting == 16
    assert "The 3 ports where packets' heads waited longest, of 16" in drawing.notes[0]


@pytest.mark.slow
def test_the_page_links_to_the_history_beside_the_results(tmp_path: Path) -> None:
    out = tmp_path / "reports/alltoall.html"
    plan, database = rdma_samples.alltoall(tmp_path, FIGURES)
    with open_study(plan, database, CONFIGS) as study:
        (point_id,) = study.plan.points.ids.to_pylist()
    build_report(plan, database, CONFIGS, out)
    assert f'href="../results/alltoall/rdma/s/history-{point_id}.json"' in out.read_text()
    assert "ui.perfetto.dev" in out.read_text()


def test_labels_are_ordered_as_people_count() -> None:
    labels = ["y+", "x-", "x+", "90–100 %", "10–20 %", "0–10 %"]
    expected = ["0–10 %", "10–20 %", "90–100 %", "x+", "x-", "y+"]
    assert sorted(labels, key=natural) == expected
