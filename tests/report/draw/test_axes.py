"""Axes: units, ticks at what was asked, and no mark on their ends."""

from __future__ import annotations

import re
from pathlib import Path

import altair as alt
import pytest
import vl_convert
from figure_samples import answered, drawn, encoding
from report_samples import CONFIGS
from weft.report.data.source import open_study
from weft.report.data.units import quantity
from weft.report.draw.axes import across, upwards
from weft.report.record.outcome import coverage

BANDWIDTH = "network.bandwidth_bytes_per_s"
RATES = (125e6, 250e6, 1e9, 1.25e9, 5e9)
ANSWERS = [
    (e, {BANDWIDTH: rate}, "makespan_s", 1e4 / rate) for e in ("flow", "packet") for rate in RATES
]
LINE = {"line": {"x": BANDWIDTH, "y": "makespan_s", "log_x": True}}


@pytest.mark.slow
def test_a_quantity_has_one_unit_on_an_axis_and_ticks_at_the_values_asked(tmp_path: Path) -> None:
    axis = encoding(drawn(tmp_path, [LINE], ANSWERS, "s")[0])["x"]["axis"]
    assert axis["title"] == "Bandwidth [MB/s]"
    assert axis["values"] == [125, 250, 1000, 1250, 5000]
    assert "labelExpr" not in axis


@pytest.mark.slow
def test_a_column_of_a_table_and_the_coverage_have_one_unit(tmp_path: Path) -> None:
    table = {"table": {"x": BANDWIDTH, "y": "makespan_s"}}
    built = answered(tmp_path / "a", [table], ANSWERS, "s")
    with open_study(*built, CONFIGS) as study:
        covered = coverage(study)
    shown = drawn(tmp_path / "b", [table], ANSWERS, "s")[0].table
    assert shown is not None
    assert (covered.column, covered.columns[-2:]) == ("Bandwidth [MB/s]", ["1,250", "5,000"])
    assert shown["heads"] == ["Bandwidth [MB/s]"]
    assert [row["heads"] for row in shown["rows"]][-2:] == [["1,250"], ["5,000"]]


def test_more_values_than_ticks_leave_the_ticks_to_the_axis() -> None:
    axis = across("topology.k", range(40)).encoding().to_dict()["axis"]
    assert "values" not in axis


def test_values_too_far_apart_for_one_unit_bring_their_own() -> None:
    axis = across("network.latency_s", [1e-9, 1e-3, 1.0]).encoding().to_dict()["axis"]
    assert axis["title"] == "Latency"
    assert "' µs'" in axis["labelExpr"]


def test_sizes_keep_their_binary_units() -> None:
    axis = across("message_bytes", [64, 65536], log=True).encoding().to_dict()
    assert "' KiB'" in axis["axis"]["labelExpr"]
    assert axis["scale"]["base"] == 2


@pytest.mark.slow
def test_a_label_takes_the_greatest_unit_that_fits() -> None:
    sizes = [float(2**n) for n in (0, 9, 10, 19, 20, 21, 29, 30)]
    spec = {
        "$schema": alt.SCHEMA_URL,
        "data": {"values": [{"x": size} for size in sizes]},
        "width": 2000, "mark": "point",
        "encoding": {"x": across("message_bytes", sizes, log=True).encoding().to_dict()},
    }  # fmt: skip
    drawing = vl_convert.vegalite_to_svg(spec)
    assert re.findall(r">(\d[^<]*B)</text>", drawing) == [
        "1 B", "512 B", "1 KiB", "512 KiB", "1 MiB", "2 MiB", "512 MiB", "1 GiB",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["1 KiB", "1 MiB", "1 GiB"])
def test_one_of_a_unit_is_written_in_it(text: str) -> None:
    size = 2.0 ** {"K": 10, "M": 20, "G": 30}[text[2]]
    assert quantity(size, "B") == text


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("values", [(0.1, 1.0), (5.0, 5.0), (1.0, 1000.0), (900.0, 1000.0)])
def test_no_mark_lies_on_the_ends_of_an_axis(values: tuple[float, float], log: bool) -> None:
    rows = [{"y": y, "low": None, "high": None} for y in values]
    low, high = upwards(rows, log, from_zero=False)["domain"]
    assert low < min(values)
    assert high > max(values)


def test_zeros_do_not_lie_on_the_frame() -> None:
    rows = [{"y": y} for y in (0.0, 1.0)]
    low, high = upwards(rows, log=False, from_zero=True)["domain"]
    assert low < 0
    assert high > 1


@pytest.mark.slow
def test_words_of_a_file_stand_as_written_on_axes_and_in_tables(tmp_path: Path) -> None:
    answers = [
        ("flow", {"topology.kind": kind}, "makespan_s", 1e-3) for kind in ("fat_tree", "mesh")
    ]
    figures = [{kind: {"x": "topology.kind", "y": "makespan_s"}} for kind in ("bar", "table")]
    bars, table = drawn(tmp_path, figures, answers, "s")
    assert encoding(bars)["x"]["sort"] == ["fat_tree", "mesh"]
    assert table.table is not None
    assert table.table["rows"][0]["heads"] == ["fat_tree"]


def test_a_difference_of_one_per_cent_is_no_cliff() -> None:
    low, high = upwards([{"y": 100.0}, {"y": 101.0}], log=False, from_zero=False)["domain"]
    assert 1 / (high - low) < 0.1
    assert low > 90


SIZES = [64, 4096, 262144]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("times", "asked", "logarithmic"),
    [
        ((1e-6, 1e-5, 1e-3), {}, ("log", "log")),
        ((1e-6, 2e-6, 3e-6), {}, ("log", "linear")),
        ((1e-6, 1e-5, 1e-3), {"log_y": False}, ("log", "linear")),
        ((1e-6, 1e-5, 1e-3), {"log_x": False}, ("linear", "linear")),
    ],
)
def test_an_axis_of_bytes_is_logarithmic_and_so_are_values_over_it_that_lie_far_apart(
    tmp_path: Path, times: tuple[float, ...], asked: dict[str, bool], logarithmic: tuple[str, str]
) -> None:
    key = "options.eager_bytes"
    rows = [("flow", {key: size}, "makespan_s", t) for size, t in zip(SIZES, times, strict=True)]
    (drawing,) = drawn(tmp_path, [{"line": {"x": key, "y": "makespan_s", **asked}}], rows, "s")
    scales = (encoding(drawing)[axis]["scale"].get("type", "linear") for axis in "xy")
    assert tuple(scales) == logarithmic
