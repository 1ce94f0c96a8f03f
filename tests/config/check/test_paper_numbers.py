"""What papers print: every number has a counterpart in the project, or a reason for having none."""

from pathlib import Path

import pytest
from weft.config.check.counterparts import counterpart_mistakes
from weft.config.check.paper_numbers import COLUMNS, read_paper_numbers
from weft.tables.published import PublishedError, published_files

from tests.config.conftest import SHIPPED

#: Of each paper: its numbers, and those with a counterpart.
SHIPPED_NUMBERS = {
    "anet": (75, 56),
    "mfs": (121, 94),
    "multicast": (1262, 1243),
    "nsim_ace": (54, 40),
    "opennsim": (66, 54),
}
HEADER = ",".join(COLUMNS) + "\n"
GOOD = "section 1,hop,2 ns,1,network gigabit: bandwidth,\n"
ABOUT = "title: T\nitems: {table1: {title: A}}\nclaims: {own-c1: {claim: B}}\n"


def write(configs: Path, text: str) -> Path:
    folder = configs / "paper" / "own"
    folder.mkdir(parents=True)
    (folder.parent / "own.yaml").write_text(ABOUT)
    (folder.parent / "own_numbers.csv").write_text(text)
    return folder.parent


@pytest.mark.parametrize("paper", SHIPPED_NUMBERS)
def test_no_printed_number_of_a_shipped_paper_is_lost(paper: str) -> None:
    found = read_paper_numbers(SHIPPED / "paper", paper)
    here = sum(each.count for each in found if each.counterpart)
    assert (sum(each.count for each in found), here) == SHIPPED_NUMBERS[paper]


def test_every_shipped_paper_lists_its_numbers() -> None:
    papers = {path.stem for path in (SHIPPED / "paper").glob("*.yaml")}
    assert papers == set(SHIPPED_NUMBERS)


@pytest.mark.parametrize("paper", SHIPPED_NUMBERS)
def test_every_shipped_counterpart_exists(paper: str) -> None:
    assert list(counterpart_mistakes(SHIPPED, paper)) == []


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (GOOD.replace("network gigabit: bandwidth", ""), "counterpart and reason are empty; a row"),
        (GOOD.replace(",\n", ",none\n"), "counterpart and reason are both given; a row has"),
        (GOOD.replace("2 ns", ""), "value is empty; a row"),
        (GOOD.replace(",1,", ",some,"), "count 'some'; a row"),
        (GOOD.replace("hop", ""), "place or what is empty; a row"),
        (GOOD.replace("\n", ",x\n"), "7 cells, but there are 6 columns; a row"),
    ],
    ids=range(6),
)
def test_a_wrong_row_is_named_with_file_and_line(tmp_path: Path, row: str, words: str) -> None:
    papers = write(tmp_path / "configs", HEADER + GOOD + row)
    with pytest.raises(PublishedError) as error:
        read_paper_numbers(papers, "own")
    assert str(error.value).startswith(f"configs/paper/own_numbers.csv:3: {words}")
    assert "counterparts are 'ITEM' and 'claim NAME' of configs/paper/own.yaml" in str(error.value)


def test_other_columns_are_refused(tmp_path: Path) -> None:
    papers = write(tmp_path / "configs", GOOD)
    with pytest.raises(PublishedError, match=r"numbers\.csv:1: its columns are place, what, value"):
        read_paper_numbers(papers, "own")


@pytest.mark.parametrize(
    "counterpart",
    [
        "table2",
        "claim own-c2",
        "network gigabit: speed",
        "network terabit: bandwidth",
        "engine anet: rounds",
        "machine example: cores",
        "network gigabit bandwidth",
    ],
)
def test_a_counterpart_that_is_not_there_is_refused_before_anything_runs(tree, counterpart):
    row = GOOD.replace("network gigabit: bandwidth", counterpart)
    write(tree.configs, HEADER + GOOD + row)
    words = f"configs/paper/own_numbers.csv:3: there is no counterpart '{counterpart}'; a row has"
    tree.refuses("paper: own\n", "paper", words)


@pytest.mark.parametrize(
    "counterpart",
    [
        "table1",
        "claim own-c1",
        "network opennsim_table3: packet.mtu",
        "engine anet: turns",
        "experiment x: sweep.topology.k",
        "experiment x: makespan_s",
    ],
)
def test_items_claims_keys_options_and_metrics_are_counterparts(tree, counterpart):
    write(tree.configs, HEADER + GOOD.replace("network gigabit: bandwidth", counterpart))
    tree.experiment("paper: own\ndefaults: [override /topology: mesh]\nsweep: {topology.k: [2]}\n")
    assert list(counterpart_mistakes(tree.configs, "own")) == []


def test_an_experiment_that_is_not_there_is_refused_where_another_is(tree):
    rows = [GOOD.replace("network gigabit", f"experiment {name}") for name in ("x", "y")]
    write(tree.configs, HEADER + "".join(rows).replace("bandwidth", "makespan_s"))
    assert list(counterpart_mistakes(tree.configs, "own")) == []
    tree.experiment("", name="x")
    (mistake,) = counterpart_mistakes(tree.configs, "own")
    assert mistake.startswith("configs/paper/own_numbers.csv:3: there is no counterpart 'experim")


def test_it_holds_no_published_values(tmp_path: Path) -> None:
    assert published_files(write(tmp_path, HEADER + GOOD)) == []
