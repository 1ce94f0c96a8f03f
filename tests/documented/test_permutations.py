"""What a reader types about the experiment that the README has a reader write."""

import pytest

from tests.documented.conftest import Reader
from tests.documented.lines import FOUND, Clone, Line, lines, queries

pytestmark = [pytest.mark.slow, pytest.mark.long("documents")]


@pytest.fixture(scope="module")
def reader(new_clone: Reader) -> Reader:
    """Three runs; of the last one a document shows nothing but how it differs."""
    new_clone.needs(
        "snakemake reports/permutations.html",
        "snakemake reports/permutations.html --config run=before",
        "snakemake results/permutations/collected.json --config run=after",
    )
    return new_clone


@pytest.mark.parametrize("line", lines(Clone.PERMUTATIONS), ids=str)
def test_a_documented_line_runs(line: Line, reader: Reader) -> None:
    reader.runs(line.text)


@pytest.mark.parametrize("query", queries(Clone.PERMUTATIONS), ids=str)
def test_a_query_finds_what_the_reader_has(query: tuple[str, str], reader: Reader) -> None:
    document, text = query
    assert reader.rows(text) or document not in FOUND
