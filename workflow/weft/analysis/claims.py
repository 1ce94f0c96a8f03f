"""Claims of a paper, each judged by numbers that an SQL query takes from the view `answers`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from string import Formatter
from typing import Any

import duckdb

from weft.analysis.bounds import HELD, Bound, Check, verdict_of
from weft.analysis.paper_keys import check_keys
from weft.config.language.errors import nearest

#: The sign of a number that is written as zero.
_MINUS_ZERO = re.compile(r"(?<![\w.])-(?=0+(\.0+)?(?!\.?\d))")


class Evidence(StrEnum):
    """What it says about a paper that a claim's numbers lie within their bounds."""

    INDEPENDENT = "independent"
    """The inputs do not come from the claim, and the bound is the paper's: a wrong answer fails."""
    OUR_BOUND = "our_bound"
    """The inputs do not come from the claim, but the paper has no number: the bound is ours."""
    CONSTRUCTION = "construction"
    """What was put in comes out again."""
    AUTHORS_DATA = "authors_data"
    """The numbers are the authors' own, or follow from them."""
    OPEN = "open"
    """The paper leaves open what decides it."""


class ClaimVerdict(StrEnum):
    """What became of a claim, in the words of a page."""

    REPRODUCED = "reproduced"
    CONSISTENT = "consistent"
    BY_CONSTRUCTION = "by construction"
    FROM_AUTHORS = "from the authors' own data"
    UNDETERMINED = "undetermined"
    NOT_REPRODUCED = "not reproduced"
    DOES_NOT_HOLD = "does not hold"
    """The word for a claim of ours: there is nothing to reproduce."""
    NO_DATA = "no data"


#: The verdicts of claims whose numbers lie within their bounds.
_HELD = {
    Evidence.INDEPENDENT: ClaimVerdict.REPRODUCED,
    Evidence.OUR_BOUND: ClaimVerdict.CONSISTENT,
    Evidence.CONSTRUCTION: ClaimVerdict.BY_CONSTRUCTION,
    Evidence.AUTHORS_DATA: ClaimVerdict.FROM_AUTHORS,
    Evidence.OPEN: ClaimVerdict.UNDETERMINED,
}


@dataclass(frozen=True, slots=True)
class Claim:
    """What a paper claims; it is met when every number in `bounds` lies within them, ends included.

    `query` yields one row; `numbers` is a text with its columns in braces. What it says about the
    paper depends on the `evidence`, for which `because` gives the reason. `source` is the place in
    the paper; a claim without one is ours: we ask it beside those of the paper.
    """

    name: str
    text: str
    query: str
    bounds: Mapping[str, Bound]
    numbers: str
    evidence: Evidence
    because: str
    source: str = ""
    note: str = ""

    @property
    def ours(self) -> bool:
        """Whether the paper does not claim it."""
        return not self.source

    def verdict(self, *, met: bool) -> ClaimVerdict:
        """What becomes of it when its numbers lie within their bounds, or do not."""
        if met or self.evidence == Evidence.OPEN:
            return _HELD[self.evidence]
        return ClaimVerdict.DOES_NOT_HOLD if self.ours else ClaimVerdict.NOT_REPRODUCED


@dataclass(frozen=True, slots=True)
class Judgement:
    """A claim with its verdict, our numbers as a sentence, and each bound."""

    claim: Claim
    verdict: ClaimVerdict
    numbers: str = ""
    checks: tuple[Check, ...] = ()
    row: Mapping[str, object] = field(default_factory=dict)
    """The columns of the claim's query."""

    @property
    def met(self) -> bool | None:
        """Whether every bound is met; None without data."""
        return all(check.met for check in self.checks) if self.checks else None


def read_claims(raw: Mapping[str, Any], place: str) -> list[Claim]:
    """The section `claims` of a paper's file; `place` names the file in messages.

    Raises ValueError for a missing or unknown key, for a claim with neither `source` nor `ours`,
    for evidence that there is not, for a bound that does not say in words what it bounds or has no
    end, and for a sentence that names a column that the query does not have.
    """
    return [_claim(name, fields, f"{place}: claims.{name}") for name, fields in raw.items()]


def _claim(name: str, fields: Mapping[str, Any], place: str) -> Claim:
    needed = {"claim", "query", "bounds", "numbers", "evidence", "because"}
    check_keys(fields, needed, {"note", "ours", "source"}, place)
    bounds = {
        column: _bound(fields["query"], column, bound, f"{place}.bounds")
        for column, bound in fields["bounds"].items()
    }
    check_columns(str(fields["numbers"]), str(fields["query"]), f"{place}.numbers")
    if (fields.get("ours") is True) == bool(fields.get("source")):
        raise ValueError(f"{place}: expected either source, the place in the paper, or ours: true")
    evidence, known = str(fields["evidence"]), [*Evidence]
    if evidence not in known:
        raise ValueError(
            f"{place}.evidence: '{evidence}' is none of {', '.join(known)}"
            f"{nearest(evidence, known)}"
        )
    return Claim(
        name,
        str(fields["claim"]),
        str(fields["query"]),
        bounds,
        str(fields["numbers"]),
        Evidence(evidence),
        str(fields["because"]),
        str(fields.get("source", "")),
        str(fields.get("note", "")),
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
            return [Judgement(claim, ClaimVerdict.NO_DATA) for claim in claims]
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
        return Judgement(claim, ClaimVerdict.NO_DATA)
    row = dict(zip(names, rows[0], strict=True))
    checks = tuple(
        Check(bound.text(), bound.met(row[name])) for name, bound in claim.bounds.items()
    )
    verdict = claim.verdict(met=verdict_of(checks) == HELD)
    return Judgement(claim, verdict, with_numbers(claim.numbers, row), checks, row)


def with_numbers(text: str, row: Mapping[str, object]) -> str:
    """`text` with the columns of `row` for the names in its braces."""
    return _MINUS_ZERO.sub("", text.format(**row))
