"""What the page of a paper answers first: sentences by what became of its claims, then how many are
reproduced and what the others are, those of the paper apart from ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weft.analysis.claims import (
    Claim,
    ClaimVerdict,
    Judgement,
    check_columns,
    with_numbers,
)
from weft.analysis.paper_keys import check_keys
from weft.config.language.errors import nearest


@dataclass(frozen=True, slots=True)
class ClaimSentence:
    """What a claim contributes to the answer if its bounds are met, or are not; columns of its
    query in braces."""

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
    found = {each.claim.name: each for each in judged}
    return [
        with_numbers(each.holds if found[each.claim].met else each.fails, found[each.claim].row)
        for each in sentences
        if found[each.claim].met is not None
    ]


def summary(judged: Sequence[Judgement]) -> list[str]:
    """How many claims of the paper are reproduced and what became of the others; the same of ours,
    of which none can be more than consistent with what we ask."""
    theirs = [each for each in judged if not each.claim.ours]
    ours = [each for each in judged if each.claim.ours]
    return [
        *([_counted(theirs, ClaimVerdict.REPRODUCED, "of the paper")] if theirs else []),
        *([_counted(ours, ClaimVerdict.CONSISTENT, "of ours")] if ours else []),
    ]


def _counted(judged: Sequence[Judgement], first: ClaimVerdict, whose: str) -> str:
    named = {
        verdict: [each.claim.name for each in judged if each.verdict == verdict]
        for verdict in ClaimVerdict
    }
    counted = len(named.pop(first))
    verb = "is" if counted == 1 else "are"
    text = f"{counted} of {len(judged)} claims {whose} {verb} {first}"
    return (
        "; ".join(
            [text, *(f"{verdict}: {', '.join(names)}" for verdict, names in named.items() if names)]
        )
        + "."
    )
