"""Arguments of programs read as on a command line: in sentences, on axes, in tables and legends."""

from pathlib import Path

import pytest
from figure_samples import answered, drawn, encoding
from report_samples import CONFIGS
from weft.report.answers import answer
from weft.report.data.figures import study_figures
from weft.report.data.source import open_study
from weft.report.data.units import place_label, series_label, value_label
from weft.report.record.outcome import coverage

KEY = "workload.arguments"
ANSWERS = [("flow", {KEY: [steps]}, "program_time_s", 1e-6 * int(steps)) for steps in ("10", "40")]


@pytest.mark.parametrize(
    ("stored", "read"),
    [
        ('["10"]', "10"),
        ('["bitmap", "mpich", "64"]', "bitmap mpich 64"),
        ('["a b", ""]', '"a b" ""'),
        ("[]", "none"),
        # Not lists of words.
        ("[4, 4]", "[4, 4]"),
        ("[0]-tree", "[0]-tree"),
    ],
)
def test_words_have_a_space_between_them(stored: str, read: str) -> None:
    assert value_label(KEY, stored) == read


def test_a_number_alone_needs_its_key() -> None:
    assert series_label(["engine", KEY], {"engine": "flow", KEY: '["10"]'}) == "flow · Arguments 10"
    assert series_label([KEY], {KEY: '["ring"]'}) == "ring"
    assert place_label(KEY, '["10"]') == "arguments = 10"
    assert place_label(KEY, '["ring", "10"]') == "ring 10"


@pytest.mark.parametrize("kind", ["line", "bar"])
def test_an_axis_has_words_and_no_json(tmp_path: Path, kind: str) -> None:
    figure = {kind: {"x": KEY, "y": "program_time_s"}}
    (drawing,) = drawn(tmp_path, [figure], ANSWERS, "s")
    spec = drawing.panels[0].spec
    assert [row["x"] for row in spec["data"]["values"]] == ["10", "40"]
    assert encoding(drawing)["x"]["scale"]["domain"] == ["10", "40"]


def test_a_table_has_words_and_no_json(tmp_path: Path) -> None:
    (drawing,) = drawn(tmp_path, [{"table": {"x": KEY, "y": "program_time_s"}}], ANSWERS, "s")
    assert drawing.table is not None
    assert [row["heads"] for row in drawing.table["rows"]] == [["10"], ["40"]]


def test_a_sentence_has_words_and_no_json(tmp_path: Path) -> None:
    figures = [{"bar": {"x": KEY, "y": "program_time_s"}}]
    with open_study(*answered(tmp_path, figures, ANSWERS, "s"), CONFIGS) as study:
        text = " ".join(answer(study, study_figures(study), [], coverage(study)).sentences)
    assert "at argument 1 = 10" in text
    assert '["10"]' not in text
