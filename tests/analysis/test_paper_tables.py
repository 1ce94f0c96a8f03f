"""Tables of a paper's page have what their queries give, and a mistake in the file is named."""

import duckdb
import pytest
from weft.analysis.paper_tables import filled, read_tables

TABLE = {"title": "Both", "query": "SELECT 'a' AS who, 0.5 AS rate, NULL AS \"by seeds\""}


def tables(**changes):
    return read_tables({"both": {**TABLE, **changes}}, ["table1"], "p.yaml")


def test_columns_are_headings_and_numbers_are_known():
    with duckdb.connect() as connection:
        (found,) = filled(tables(), connection)
    assert found.headings == ("who", "rate", "by seeds")
    assert found.rows == (("a", "0.5", "–"),)
    assert found.numeric == (False, True, False)


@pytest.mark.parametrize("query", ["SELECT 1 AS n WHERE false", "SELECT * FROM view_of_no_point"])
def test_a_table_without_rows_is_left_out(query):
    with duckdb.connect() as connection:
        assert filled(tables(query=query), connection) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"note": "x"}, "p.yaml: tables.both: 'note' is not a key; keys are description, query"),
        ({"section": "table2"}, "p.yaml: tables.both.section: the paper has no item 'table2'"),
    ],
)
def test_mistakes_are_named(changes, message):
    with pytest.raises(ValueError, match=message):
        tables(**changes)


def test_a_table_needs_a_title():
    with pytest.raises(ValueError, match=r"tables\.both: lacks title"):
        read_tables({"both": {"query": "SELECT 1"}}, [], "p.yaml")
