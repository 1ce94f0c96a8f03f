"""In which calls the ranks of a program spend their time, in a sentence."""

from __future__ import annotations

from weft.config.model.program_figures import ProgramCalls
from weft.report.data.source import Study
from weft.report.data.units import counted, quantity
from weft.report.kinds.calls.rows import CallTimes, call_times


def call_findings(study: Study, figure: ProgramCalls) -> list[str]:
    """A sentence for each setting whose values can be trusted."""
    timed = call_times(study, figure).found
    return [said(times) for times in timed if times.every and not times.is_flagged]


def said(times: CallTimes) -> str:
    """How long a rank computes and is in calls, and in which one most."""
    where = f"{times.panel}: a" if times.panel else "A"
    whole_s = times.program_s
    of_all = f" of {quantity(whole_s, 's')}" if whole_s else ""
    share = f" ({_share(times.inside_s / whole_s)})" if whole_s else ""
    if times.computing_s > 0:
        where += f" rank computes for {quantity(times.computing_s, 's')}{of_all}; it"
        of_all = ""
    else:
        where += " rank"
    if not times.calls:
        return f"{where} is in no other call that takes time."
    longest = times.calls[0]
    waits = f", and waits for {times.waiting_s / times.inside_s:.0%} of that"
    if times.is_measured:
        waits = " in the run that was recorded"
    return (
        f"{where} is in calls for {quantity(times.inside_s, 's')}{of_all}{share}{waits};"
        f" it spends most time in {longest.call}"
        f" ({quantity(longest.time_s, 's')}, {counted(longest.count, 'call')})."
    )


def _share(part: float) -> str:
    """A part of a program's time; of a small one the first digit that says something."""
    return f"{part:.0%}" if part >= 0.1 else f"{part:.1%}"
