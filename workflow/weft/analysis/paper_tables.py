"""Tables of a paper's page, each filled by an SQL query that may use the views of its claims."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from numbers import Number

import duckdb

from weft.analysis.paper_keys import check_keys


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table with the rows of `query`, whose columns are its headings; it stands in the section of
    the item `section`, or in one of its own."""

    name: str
    title: str
    query: str
    description: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class FilledTable:
    """A table with its cells as texts; `numeric` says of each column whether it holds numbers."""

    table: PaperTable
    headings: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]


def read_tables(
    raw: Mapping[str, Mapping[str, object]], items: Container[str], place: str
) -> list[PaperTable]:
    """The section `tables` of a paper's file; `place` names the file in messages.

    Raises ValueError for a missing or unknown key, and for a section that no item has.
    """
    return [_table(name, fields, items, f"{place}: tables.{name}") for name, fields in raw.items()]


def _table(
    name: str, fields: Mapping[str, object], items: Container[str], place: str
) -> PaperTable:
    check_keys(fields, {"title", "query"}, {"description", "section"}, place)
    if fields.get("section", "") and fields["section"] not in items:
        raise ValueError(f"{place}.section: the paper has no item '{fields['section']}'")
    return PaperTable(name, **{key: str(value) for key, value in fields.items()})


def filled(
    tables: Sequence[PaperTable], connection: duckdb.DuckDBPyConnection
) -> list[FilledTable]:
    """Every table that has rows.

    A query has none that reads a view which does not exist, because no point has its parameters.
    """
    found = []
    for table in tables:
        try:
            cursor = connection.execute(table.query)
        except duckdb.CatalogException:
            continue
        headings = tuple(str(column[0]) for column in cursor.description or ())
        rows = cursor.fetchall()
        numeric = tuple(
            all(isinstance(row[at], Number) for row in rows) for at in range(len(headings))
        )
        cells = tuple(tuple(_text(value) for value in row) for row in rows)
        if cells:
            found.append(FilledTable(table, headings, numeric, cells))
    return found


def _text(value: object) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) or not isinstance(value, Number) else f"{value:g}"
