"""No page is larger than a mail or a browser likes, and it says what it leaves out."""

from __future__ import annotations

import csv
import io
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from report_samples import CONFIGS, downloads, quickstart
from weft.config.model.figures import Line
from weft.report.curves.charts import charts
from weft.report.curves.rows import FigureData
from weft.report.data.series_values import ANSWER, SeriesValue
from weft.report.data.source import open_study
from weft.report.draw.drawing import Drawing, panels
from weft.report.draw.palette import Palette
from weft.report.html.page_room import MOST_BYTES
from weft.report.html.render import render
from weft.report.pages.build import report_values

pytestmark = pytest.mark.slow


def noise(series: int, xs: int) -> list[SeriesValue]:
    """Curves with noise of all digits, which compresses as badly as any measurement."""
    rng = random.Random(7)
    return [
        SeriesValue(f"k {s}", ANSWER, x, math.sin(x / 30 + s) + s + rng.random(), n=1)
        for s in range(series)
        for x in range(xs)
    ]


def drawing(number: int, rows: Sequence[SeriesValue]) -> Drawing:
    figure = Line(x="network.gap", y="makespan_s")
    data = FigureData(figure, "s", "Makespan", rows, (), {})
    name = f"figure-{number}"
    shown = panels(name, charts(data, Palette()))
    return Drawing(name, f"Figure {number}", shown, notes=data.notes, csv=data.csv())


def several(one: Drawing, count: int) -> list[Drawing]:
    """So many drawings as large as `one`."""
    names = [f"figure-{number}" for number in range(1, count + 1)]
    spec = one.panels[0].spec
    return [replace(one, identifier=n, panels=panels(n, [(None, spec)])) for n in names]


@pytest.fixture
def page(tmp_path: Path):
    """The page of the quickstart with other figures."""

    def made(drawings: Sequence[Drawing]) -> Path:
        out = tmp_path / "p.html"
        with open_study(*quickstart(tmp_path), CONFIGS) as study:
            values = report_values(study, out)
        first, *others = drawings
        changed = {"shown": first, "more_figures": others, "errors": [], "side_by_side": None}
        render("report.html", out, {**values, **changed})
        return out

    return made


def test_four_figures_of_80_series_and_40_000_points_fit_with_all_their_rows(page) -> None:
    rows = noise(80, 500)
    made = page(several(drawing(1, rows), 4))
    assert made.stat().st_size <= MOST_BYTES
    files = [list(csv.DictReader(io.StringIO(text))) for text in downloads(made)]
    assert [len(file) for file in files] == 4 * [40_000]
    for ours, row in zip(files[0], rows, strict=True):
        assert (ours["series"], int(ours["network.gap"])) == (row.series, row.x)
        assert float(ours["makespan_s [s]"]) == pytest.approx(row.y, rel=1e-9)
    text = made.read_text()
    assert "The data has all values." in text
    assert "the numbers in its CSV files have 10 digits" in text


def test_a_page_that_fits_has_every_digit(page) -> None:
    rows = noise(2, 100)
    made = page([drawing(1, rows)])
    found = list(csv.DictReader(io.StringIO(downloads(made)[0])))
    assert [float(row["makespan_s [s]"]) for row in found] == [row.y for row in rows]
    assert "have 10 digits" not in made.read_text()


def test_the_largest_data_leave_a_page_first_and_it_says_how_to_get_them(page) -> None:
    made = page([drawing(1, noise(3, 100)), drawing(2, noise(3, 100_000))])
    assert made.stat().st_size <= MOST_BYTES
    assert [text.count("\n") for text in downloads(made)] == [301]
    text = made.read_text()
    assert text.count("<code>weft answers EXPERIMENT --csv FILE</code> writes it.") == 1
    assert 'data-for="figure-2-1"' in text


def test_drawings_leave_last(page) -> None:
    rng = random.Random(7)
    large = {"data": {"values": [{"y": rng.random()} for _ in range(40_000)]}}
    small = drawing(1, noise(3, 100))
    drawings = several(replace(small, panels=panels("figure", [(None, large)])), 9)
    made = page([small, *drawings[1:]])
    text = made.read_text()
    assert MOST_BYTES / 2 < made.stat().st_size <= MOST_BYTES
    assert downloads(made) == []
    assert 'data-for="figure-1-1"' in text
    assert "This drawing would make the page too large." in text
    assert "<h3>Figure 1</h3>" in text
