"""What the page of a paper answers first: sentences by the verdicts of its claims, then how many
claims hold, those of the paper apart from ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weft.analysis.claims import (
    FAILS,
    HOLDS,
    NO_DATA,
    Claim,
    Judgement,
    check_columns,
    with_numbers,
)
from weft.analysis.paper_keys import check_keys
from weft.config.language.errors import nearest


@dataclass(frozen=True, slots=True)
class ClaimSentence:
    """What a claim contributes to the answer, by its verdict; columns of its query in braces."""

    claim: str
    holds: str
    fails: str


def read_answer(
    raw: Sequence[str | Mapping[str, object]], claims: Sequence[Claim], place: str
) -> list[ClaimSentence]:
    """The section `answer` of a paper's file: names of claims, whose numbers stand for themselves,
    or a sentence for each verdict.

    Raises ValueError for a claim that there is not, a missing or unknown key, and a sentence with a
    column that the claim's query does not have.
    """
    return [_read(entry, claims, f"{place}: answer[{n}]") for n, entry in enumerate(raw)]


def _read(entry: str | Mapping[str, object], claims: Sequence[Claim], place: str) -> ClaimSentence:
    fields: Mapping[str, object] = {"claim": entry} if isinstance(entry, str) else entry
    if not isinstance(entry, str):
        check_keys(fields, {"claim", "holds", "fails"}, set(), place)
    name, known = str(fields["claim"]), [claim.name for claim in claims]
    if name not in known:
        listed = ", ".join(known)
        raise ValueError(
            f"{place}: there is no claim '{name}'{nearest(name, known)}; claims are {listed}"
        )
    claim = claims[known.index(name)]
    for verdict in ("holds", "fails"):
        check_columns(str(fields.get(verdict, "")), claim.query, f"{place}.{verdict}")
    holds, fails = (str(fields.get(verdict, claim.numbers)) for verdict in ("holds", "fails"))
    return ClaimSentence(name, holds, fails)


def answered(judged: Sequence[Judgement], sentences: Sequence[ClaimSentence]) -> list[str]:
    """The sentences that answer the question of the paper; none of claims without data."""
    verdicts = {each.claim.name: each for each in judged}
    texts = {HOLDS: "holds", FAILS: "fails"}
    return [
        with_numbers(getattr(each, texts[found.verdict]), found.row)
        for each in sentences
        if (found := verdicts[each.claim]).verdict in texts
    ]


def summary(judged: Sequence[Judgement]) -> list[str]:
    """How many claims of the paper hold and which do not, and the same of ours."""
    sides = {"of the paper": False, "of ours": True}
    found = {whose: [j for j in judged if j.claim.ours == ours] for whose, ours in sides.items()}
    return [_counted(mine, whose) for whose, mine in found.items() if mine]


def _counted(judged: Sequence[Judgement], whose: str) -> str:
    named = {
        verdict: [each.claim.name for each in judged if each.verdict == verdict]
        for verdict in (HOLDS, FAILS, NO_DATA)
    }
    text = f"{len(named[HOLDS])} of {len(judged)} claims {whose} hold"
    text += f"; not: {', '.join(named[FAILS])}" if named[FAILS] else ""
    text += f"; without data: {', '.join(named[NO_DATA])}" if named[NO_DATA] else ""
    return f"{text}."
