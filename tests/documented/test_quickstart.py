"""What a reader types after the quickstart."""

import pytest

from tests.documented.conftest import Reader, measure_again
from tests.documented.lines import FOUND, Clone, Line, lines, queries

pytestmark = [pytest.mark.slow, pytest.mark.long("documents")]


@pytest.fixture(scope="module")
def reader(new_clone: Reader) -> Reader:
    new_clone.needs("snakemake archives/quickstart.zip")
    measure_again(new_clone)
    return new_clone


@pytest.mark.parametrize("line", lines(Clone.QUICKSTART), ids=str)
def test_a_documented_line_runs(line: Line, reader: Reader) -> None:
    reader.runs(line.text)


@pytest.mark.parametrize("query", queries(Clone.QUICKSTART), ids=str)
def test_a_query_runs_on_what_the_reader_has(query: tuple[str, str], reader: Reader) -> None:
    document, text = query
    assert reader.rows(text) or document not in FOUND
