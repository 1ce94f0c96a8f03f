"""Heat maps: which cells agree, what the answer says of them, and how they are drawn."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import figure_samples
import packet_samples
import pytest
import vl_convert
from report_samples import CONFIGS
from weft.config.model.figures import Map
from weft.report.data.source import Study, open_study
from weft.report.kinds.map.charts import map_charts, shades
from weft.report.kinds.map.finding import map_findings
from weft.report.kinds.map.rows import map_data
from weft.report.pages.build import build_report


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return packet_samples.fidelity(tmp_path_factory.mktemp("fidelity"))


@pytest.fixture(scope="module")
def study(built: tuple[Path, Path]) -> Iterator[Study]:
    with open_study(*built, CONFIGS) as opened:
        yield opened


@pytest.mark.slow
def test_a_cell_is_the_ratio_of_two_engines(study: Study) -> None:
    data = map_data(study, study.plan.report.figures[0])
    assert data.panels == ["uniform", "tornado"]
    far = [dict(cell.at) for cell in data.cells if not data.agrees(cell)]
    assert {cell.value for cell in data.cells} == {1.0, 2.0}
    assert far == [
        {"workload.pattern": "tornado", "topology.kind": kind, "workload.injection_rate": 1.0}
        for kind in ("mesh", "torus")
    ]


def test_the_answer_reports_the_share_and_where_it_fails(study: Study) -> None:
    text = " ".join(map_findings(study, study.plan.report.figures[0]))
    assert "flow gives the accepted rate within 5% of packet in 10 of 12 cells (83%)" in text
    assert "the farthest is off by ×2.00 (1 against 0.5) under tornado traffic" in text
    assert "least often at an injection rate of 1 (50%), tornado traffic (67%)" in text


def test_a_ratio_of_costs_reports_the_saving(study: Study) -> None:
    (text,) = map_findings(study, study.plan.report.figures[1])
    assert "packet ÷ flow is ×100 in the median" in text


def test_a_map_without_engines_shows_the_metric(study: Study) -> None:
    figure = study.plan.report.figures[2]
    assert sorted({cell.value for cell in map_data(study, figure).cells}) == [0.05, 0.2, 0.5, 1.0]
    assert map_findings(study, figure) == []


def test_the_engine_may_lie_along_the_map(study: Study) -> None:
    figure = Map(x="engine", y=["topology.kind"], value="cpu_s")
    cells = map_data(study, figure).cells
    assert [(dict(cell.at)["topology.kind"], dict(cell.at)["engine"]) for cell in cells] == [
        (kind, engine) for kind in ("mesh", "torus") for engine in ("flow", "packet")
    ]
    assert {(dict(cell.at)["engine"], cell.value) for cell in cells} == {
        ("flow", 0.01),
        ("packet", 1.0),
    }


def test_cells_are_drawn_in_planned_order_with_one_legend(study: Study) -> None:
    data = map_data(study, study.plan.report.figures[0])
    first, second = map_charts(data)
    cells, numbers = first[1]["layer"]
    assert cells["encoding"]["x"]["sort"] == ["0.1", "0.4", "1"]
    assert cells["encoding"]["y"]["sort"] == ["mesh", "torus"]
    assert numbers["mark"]["type"] == "text"
    assert cells["encoding"]["color"]["legend"]
    assert second[1]["layer"][0]["encoding"]["color"]["legend"] is None


@pytest.mark.slow
def test_rows_of_a_map_never_have_the_same_label(tmp_path: Path) -> None:
    keys = ["topology.kind", "topology.dimensions", "workload.pattern"]
    rows = [(kind, n, pattern) for kind in ("torus", "fat_tree") for n in (1, 2, None)
            for pattern in ("uniform", "random_permutation")]  # fmt: skip
    places = [dict(zip(keys, row, strict=True)) for row in rows]
    answers = [("flow", {**at, "topology.k": k}, "accepted_rate", 0.5)
               for at in places for k in (2, 4)]  # fmt: skip
    figure = {"map": {"x": "topology.k", "y": keys, "value": "accepted_rate"}}
    (drawing,) = figure_samples.drawn(tmp_path, [figure], answers)
    vertical = figure_samples.encoding(drawing)["y"]
    assert len(set(vertical["sort"])) == len(rows)
    assert vertical["sort"][:2] == [
        "torus · Dimensions 1\nuniform",
        "torus · Dimensions 1\nrandom_permutation",
    ]
    assert vertical["axis"]["labelLimit"] == 0
    assert "fat_tree\nuniform" in vertical["sort"]


def test_a_cell_at_the_end_of_the_agreement_belongs_to_it(study: Study) -> None:
    look = shades(map_data(study, study.plan.report.figures[0]), 1.0)
    names = [look.name(value) for value in (0.5, 0.7, 0.94, 0.95, 1.05, 1.06, 1.3, 2.0)]
    assert names == [
        "below 0.67", "0.67 to 0.83", "0.83 to 0.95", "within 5\u00a0%", "within 5\u00a0%",
        "1.05 to 1.20", "1.20 to 1.50", "above 1.50",
    ]  # fmt: skip


def test_the_csv_has_both_answers_of_a_cell(study: Study) -> None:
    data = map_data(study, study.plan.report.figures[0])
    rows = list(csv.DictReader(io.StringIO(data.csv())))
    last = rows[-1]
    assert (last["panel"], last["y"], last["of"], last["to"]) == ("tornado", "torus", "1.0", "0.5")


@pytest.fixture
def disturbed(built: tuple[Path, Path], tmp_path: Path) -> Iterator[Study]:
    """The same cells; the two that do not agree hold values of a busy machine."""
    plan, database = built
    copy = shutil.copy(database, tmp_path)
    with duckdb.connect(str(copy)) as con:
        con.execute(
            "UPDATE metrics SET flag = 'busy' WHERE metric = 'accepted_rate' AND point_id IN"
            " (SELECT point_id FROM answers WHERE engine = 'packet'"
            ' AND "workload.pattern" = \'tornado\' AND "workload.injection_rate" = 1)'
        )
    with open_study(plan, Path(copy), CONFIGS) as opened:
        yield opened


@pytest.mark.slow
def test_flagged_cells_have_a_sign_that_a_note_explains(disturbed: Study) -> None:
    data = map_data(disturbed, disturbed.plan.report.figures[0])
    (_, plain), (_, signed) = map_charts(data)
    assert len(plain["layer"]) == 2
    sign = signed["layer"][2]
    assert sign["encoding"]["text"]["datum"] == "○"
    assert [each["filter"] for each in sign["transform"]] == ["datum.flag"]
    svg = vl_convert.vegalite_to_svg(signed | {"width": 400})
    assert svg.count(">○</text>") == 2
    assert data.notes[-1].startswith("○ in a cell: measured on a busy machine")


def test_flagged_cells_judge_nothing(disturbed: Study) -> None:
    figure = disturbed.plan.report.figures[0]
    assert map_findings(disturbed, figure) == [
        "flow gives the accepted rate within 5% of packet in 10 of 10 cells (100%)."
    ]
    assert "10 of 10 cells" in map_data(disturbed, figure).notes[0]


def test_the_csv_of_a_map_says_which_cells_are_flagged(disturbed: Study, study: Study) -> None:
    for opened, flags in ((disturbed, ["", "busy"]), (study, [""])):
        text = map_data(opened, opened.plan.report.figures[0]).csv()
        rows = list(csv.DictReader(io.StringIO(text)))
        assert sorted({row["flag"] for row in rows}) == flags
    assert map_data(study, study.plan.report.figures[0]).notes[1:] == []


@pytest.mark.slow
def test_the_page_answers_with_the_map(built: tuple[Path, Path], tmp_path: Path) -> None:
    build_report(*built, CONFIGS, tmp_path / "f.html")
    text = (tmp_path / "f.html").read_text()
    assert "within 5\u00a0% of packet in 10 of 12 cells (83\u00a0%)" in text
    assert "blue: flow is lower, orange: higher" in text
