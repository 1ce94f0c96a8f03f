"""Published numbers are checked before anything runs: mistakes in them, and numbers that no figure
shows."""

from pathlib import Path

import pytest
from weft.tables import published

PAPER = "title: T\ncitation: C\nyear: 2026\nquestion: Q?\n"
HEADER = "item,series,topology.nodes,metric,value,unit\n"
GOOD = "a,A,16,makespan_s,0.25,s\n"
PLACE = "figures[0].line.published"


def figure(y: str = "makespan_s", x: str = "topology.nodes") -> str:
    return (
        "defaults: [override /topology: mesh]\nsweep: {topology.k: [2, 3]}\n"
        f"figures: [{{line: {{x: {x}, y: {y}, published: own/a}}}}]\n"
    )


@pytest.fixture
def numbers(tree):
    """Writes `configs/paper/own/a.csv`."""

    def write(content: str | bytes) -> Path:
        tree.write("paper/own.yaml", PAPER)
        path: Path = tree.configs / "paper" / "own" / "a.csv"
        path.parent.mkdir()
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (HEADER.replace("item,", "") + GOOD, "a.csv:1: it lacks the columns item; commas separate"),
        (HEADER.replace(",", ";") + GOOD, "a.csv:1: it lacks the columns item, series, metric"),
        (HEADER.replace("topology.nodes", "unit") + GOOD, "a.csv:1: it has the column 'unit' twi"),
        (HEADER + GOOD + GOOD.replace("0.25", "0,25"), "a.csv:3: 7 cells, but there are 6 columns"),
        (HEADER + "a,A,16\n", "a.csv:2: 3 cells, but there are 6 columns"),
        (HEADER + GOOD.replace("0.25", "nan"), "a.csv:2: value 'nan' is not a finite number"),
        (HEADER + GOOD.replace("0.25", "1e999"), "a.csv:2: value '1e999' is not a finite number"),
        (HEADER + GOOD.replace("0.25", "1_000"), "a.csv:2: value '1_000' is not a finite number"),
        (HEADER + GOOD.replace("0.25", ""), "a.csv:2: value is empty"),
        (HEADER + GOOD.replace("a,A", ",A"), "a.csv:2: item is empty"),
        (HEADER + GOOD.replace(",s", ",ms"), "a.csv:2: unit 'ms': values of makespan_s are in s"),
        (HEADER + GOOD.replace("A", '"A'), "a.csv:2: unexpected end of data"),
        ((HEADER + GOOD).encode("utf-16"), "configs/paper/own/a.csv is not a text in UTF-8"),
    ],
    ids=range(13),
)  # fmt: skip
def test_a_mistake_is_named_with_file_and_line(tree, numbers, content, words):
    numbers(content)
    tree.refuses(figure(), PLACE, words)


def test_a_file_of_millions_of_numbers_is_refused(tree, numbers, monkeypatch):
    monkeypatch.setattr(published, "MOST_NUMBERS", 2)
    numbers(HEADER + 3 * GOOD)
    tree.refuses(figure(), PLACE, "a.csv:4: a file has at most 2 numbers")


def test_a_mistake_anywhere_in_the_own_paper_is_refused(tree, numbers):
    numbers(HEADER + GOOD.replace("0.25", "nan"))
    tree.refuses("paper: own\n", "paper", "configs/paper/own/a.csv:2: value 'nan'")


def test_a_mistake_in_a_paper_that_it_does_not_show_is_no_mistake(tree, numbers):
    numbers(HEADER + GOOD.replace("0.25", "nan"))
    tree.experiment("")
    assert tree.load().name == "x"


def test_numbers_of_another_metric_than_the_figure_are_refused(tree, numbers):
    numbers(HEADER + GOOD.replace("makespan_s", "makespan"))
    tree.refuses(figure(), PLACE, "own/a has no numbers of makespan_s; it has: makespan")


def test_numbers_without_the_x_of_the_figure_are_refused(tree, numbers):
    numbers(HEADER.replace("topology.nodes", "topology.k") + GOOD)
    words = "own/a has no column topology.nodes, the figure's x; its columns are: topology.k"
    tree.refuses(figure(), PLACE, words)


def test_a_file_of_a_spreadsheet_is_read(tree, numbers):
    numbers("\ufeff" + (HEADER + GOOD).replace("\n", "\r\n"))
    tree.experiment(figure())
    assert tree.load().figures[0].asked.overlaid == ("own/a",)
