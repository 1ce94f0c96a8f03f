"""Claims of a paper, each judged by numbers that an SQL query takes from the view `answers`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any

import duckdb

from weft.analysis.paper_keys import check_keys

#: The sign of a number that is written as zero.
_MINUS_ZERO = re.compile(r"(?<![\w.])-(?=0+(\.0+)?(?!\.?\d))")

HOLDS, FAILS, NO_DATA = "holds", "does not hold", "no data"
Bounds = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Claim:
    """What a paper claims; it holds when every number in `bounds` lies within them, ends included.

    `query` yields one row; `numbers` is a text with its columns in braces.
    """

    name: str
    text: str
    query: str
    bounds: Mapping[str, Bounds]
    numbers: str
    note: str = ""


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


def read_claims(raw: Mapping[str, Any], place: str) -> list[Claim]:
    """The section `claims` of a paper's file; `place` names the file in messages.

    Raises ValueError for a missing or unknown key, for bounds that are not a pair, and for a
    sentence that names a column that neither bounds nor query has.
    """
    return [_claim(name, fields, f"{place}: claims.{name}") for name, fields in raw.items()]


def _claim(name: str, fields: Mapping[str, Any], place: str) -> Claim:
    check_keys(fields, {"claim", "query", "bounds", "numbers"}, {"note"}, place)
    bounds: dict[str, Bounds] = {}
    for column, pair in fields["bounds"].items():
        if not isinstance(pair, list) or len(pair) != 2:
            raise ValueError(f"{place}.bounds.{column}: expected [least, most], null for no bound")
        bounds[column] = (pair[0], pair[1])
    numbers = str(fields["numbers"])
    for column in (part[1] for part in Formatter().parse(numbers) if part[1]):
        if column not in fields["query"]:
            raise ValueError(f"{place}.numbers: the query has no column '{column}'")
    note = str(fields.get("note", ""))
    return Claim(name, str(fields["claim"]), str(fields["query"]), bounds, numbers, note)


def judge(
    claims: Sequence[Claim], views: Mapping[str, str], connection: duckdb.DuckDBPyConnection
) -> list[Judgement]:
    """Every claim with its verdict; `views` are queries that the claims may use as tables.

    A parameter that no point has yet, no row, or an empty number means that there is no data.
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
    if not rows or None in rows[0]:
        return Judgement(claim, NO_DATA)
    row = dict(zip(names, rows[0], strict=True))
    checks = tuple(_check(name, row[name], ends) for name, ends in claim.bounds.items())
    verdict = HOLDS if all(check.met for check in checks) else FAILS
    numbers = _MINUS_ZERO.sub("", claim.numbers.format(**row))
    return Judgement(claim, verdict, numbers, checks)


def _check(name: str, value: float, ends: Bounds) -> Check:
    low, high = ends
    listed = [f"at least {low:g}"] if low is not None else []
    listed += [f"at most {high:g}"] if high is not None else []
    met = (low is None or value >= low) and (high is None or value <= high)
    return Check(f"{name.replace('_', ' ')} {' and '.join(listed)}", met)
