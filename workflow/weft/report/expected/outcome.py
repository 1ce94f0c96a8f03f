"""What became of a statement."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from weft.analysis.bounds import HELD, MISSED, VOID, Verdict


@dataclass(frozen=True, slots=True)
class JudgedPart:
    """What one engine's answers, or those of one map, make of a statement, in words."""

    verdict: Verdict
    text: str


@dataclass(frozen=True, slots=True)
class ExpectationOutcome:
    """A statement in words, and what came out; `written` is what the file says."""

    written: str
    statement: str
    verdict: Verdict
    found: str

    @property
    def line(self) -> str:
        """`missed: the completion time below 2 ms: 2.4 ms`."""
        return f"{self.verdict}: {self.statement}: {self.found}"


def together(found: Iterable[tuple[str, JudgedPart]]) -> JudgedPart:
    """What several results say together, each with its name: a single miss misses, else what is
    void makes all void. Only what decides is said."""
    every = list(found)
    if not every:
        return JudgedPart(VOID, "nothing was stated of any engine of the plan")
    verdicts = [each.verdict for _, each in every]
    verdict = next((v for v in (MISSED, VOID) if v in verdicts), HELD)
    said = [(name, each) for name, each in every if each.verdict == verdict]
    named = [f"{name} {each.text}" if len(every) > 1 else each.text for name, each in said]
    return JudgedPart(verdict, "; ".join(dict.fromkeys(named)))
