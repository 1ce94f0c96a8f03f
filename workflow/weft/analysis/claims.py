"""Claims of a paper, each judged by numbers that an SQL query takes from the view `answers`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

import duckdb

from weft.analysis.paper_keys import check_keys

#: The sign of a number that is written as zero.
_MINUS_ZERO = re.compile(r"(?<![\w.])-(?=0+(\.0+)?(?!\.?\d))")

HOLDS, FAILS, NO_DATA = "holds", "does not hold", "no data"


@dataclass(frozen=True, slots=True)
class Bound:
    """Between which ends a number has to lie, and in words `what` it is; without an end there is
    no limit."""

    what: str
    least: float | None = None
    most: float | None = None
    unit: str = ""

    def met(self, value: float) -> bool:
        """Whether `value` lies within the bound, ends included."""
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )

    def text(self) -> str:
        """`the correlation at least 0.7`."""
        if self.least is not None and self.least == self.most:
            return f"{self.what} exactly {self._with_unit(self.least)}"
        ends = [(word, end) for word, end in (("least", self.least), ("most", self.most))]
        listed = [f"at {word} {self._with_unit(end)}" for word, end in ends if end is not None]
        return f"{self.what} {' and '.join(listed)}"

    def _with_unit(self, end: float) -> str:
        return f"{end:g} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Claim:
    """What a paper claims; it holds when every number in `bounds` lies within them, ends included.

    `query` yields one row; `numbers` is a text with its columns in braces. A claim that is `ours`
    is not of the paper: we ask it beside those of the paper.
    """

    name: str
    text: str
    query: str
    bounds: Mapping[str, Bound]
    numbers: str
    note: str = ""
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """One bound in words, and whether our number met it."""

    bound: str
    met: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """A claim with its verdict, our numbers as a sentence, and each bound."""

    claim: Claim
    verdict: str
    numbers: str = ""
    checks: tuple[Check, ...] = ()
    row: Mapping[str, object] = field(default_factory=dict)
    """The columns of the claim's query."""


def read_claims(raw: Mapping[str, Any], place: str) -> list[Claim]:
    """The section `claims` of a paper's file; `place` names the file in messages.

    Raises ValueError for a missing or unknown key, for a bound that does not say in words what it
    bounds or has no end, and for a sentence that names a column that the query does not have.
    """
    return [_claim(name, fields, f"{place}: claims.{name}") for name, fields in raw.items()]


def _claim(name: str, fields: Mapping[str, Any], place: str) -> Claim:
    check_keys(fields, {"claim", "query", "bounds", "numbers"}, {"note", "ours"}, place)
    bounds = {
        column: _bound(fields["query"], column, bound, f"{place}.bounds")
        for column, bound in fields["bounds"].items()
    }
    check_columns(str(fields["numbers"]), str(fields["query"]), f"{place}.numbers")
    ours = fields.get("ours", False)
    if not isinstance(ours, bool):
        raise ValueError(f"{place}.ours: expected true or false")
    return Claim(
        name,
        str(fields["claim"]),
        str(fields["query"]),
        bounds,
        str(fields["numbers"]),
        str(fields.get("note", "")),
        ours,
    )


def check_columns(text: str, query: str, place: str) -> None:
    """Raise ValueError where `text` has in braces what `query` does not mention."""
    for column in (part[1] for part in Formatter().parse(text) if part[1]):
        if column not in query:
            raise ValueError(f"{place}: the query has no column '{column}'")


def _bound(query: str, column: str, fields: object, place: str) -> Bound:
    if not isinstance(fields, Mapping):
        raise ValueError(
            f"{place}.{column}: expected {{what: the number in words, least: …, most: …}}"
        )
    check_columns(f"{{{column}}}", query, place)
    check_keys(fields, {"what"}, {"least", "most", "unit"}, f"{place}.{column}")
    ends = [fields[end] for end in ("least", "most") if end in fields]
    if not ends or not all(isinstance(end, int | float) for end in ends):
        raise ValueError(f"{place}.{column}: expected numbers as least, as most or as both")
    return Bound(
        str(fields["what"]), fields.get("least"), fields.get("most"), str(fields.get("unit", ""))
    )


def judge(
    claims: Sequence[Claim], views: Mapping[str, str], connection: duckdb.DuckDBPyConnection
) -> list[Judgement]:
    """Every claim with its verdict; `views` are queries that the claims may use as tables.

    A parameter that no point has yet, no row, or a number that is empty or 0 ÷ 0 means that there
    is no data.
    Raises ValueError when a query yields several rows or lacks a bounded column.
    """
    for name, query in views.items():
        try:
            connection.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS {query}")
        except duckdb.BinderException:
            return [Judgement(claim, NO_DATA) for claim in claims]
    return [_judged(claim, connection) for claim in claims]


def _judged(claim: Claim, connection: duckdb.DuckDBPyConnection) -> Judgement:
    cursor = connection.execute(claim.query)
    names, rows = [column[0] for column in cursor.description or ()], cursor.fetchall()
    if len(rows) > 1 or not set(claim.bounds) <= set(names):
        listed = f"{len(rows)} rows with {', '.join(names)}"
        raise ValueError(
            f"claim {claim.name}: one row with {', '.join(claim.bounds)}, not {listed}"
        )
    if not rows or any(value is None or value != value for value in rows[0]):
        return Judgement(claim, NO_DATA)
    row = dict(zip(names, rows[0], strict=True))
    checks = tuple(
        Check(bound.text(), bound.met(row[name])) for name, bound in claim.bounds.items()
    )
    verdict = HOLDS if all(check.met for check in checks) else FAILS
    return Judgement(claim, verdict, with_numbers(claim.numbers, row), checks, row)


def with_numbers(text: str, row: Mapping[str, object]) -> str:
    """`text` with the columns of `row` for the names in its braces."""
    return _MINUS_ZERO.sub("", text.format(**row))
