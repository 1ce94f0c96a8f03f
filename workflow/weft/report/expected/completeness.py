"""Whether the points of a statement can judge it: all of them are done, and none is flagged."""

from __future__ import annotations

from weft.report.data.source import Study, Where
from weft.report.data.units import counted

_FINE = "judged"
#: What is said of points in a state.
_SAID = {
    "not run": "not run",
    "without a value": "without a value",
    "crowded": "measured with more ranks than processors",
}


def unjudged(study: Study, metric: str, where: Where) -> str | None:
    """Why the points `where` judge nothing, such as `2 of 8 points failed`; None if they do."""
    states = study.states(metric, where)
    total = sum(states.values())
    if not total:
        return "no point is planned there"
    wrong = {state: count for state, count in states.items() if state != _FINE}
    if not wrong:
        return None
    if wrong.get("not run") == total:
        return "no point has run yet"
    parts = ", ".join(f"{count:,} {_SAID.get(state, state)}" for state, count in wrong.items())
    return f"of {counted(total, 'point')} {parts}"
