"""Where and when packets and ranks wait, and for whom, of experiments whose figures show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from weft.config.model.figure import Figure
from weft.config.model.figures import Congestion, Timeline
from weft.config.model.program_figures import ProgramCalls, RankPairs
from weft.report.answers.exchanging import exchange_sentences
from weft.report.answers.wording import headed
from weft.report.data.congestion import PortRanking, rankings
from weft.report.data.program_calls import CallTimes, call_times
from weft.report.data.source import Study
from weft.report.data.timelines import timeline_data
from weft.report.data.units import counted, listing, quantity

_MOST = 3


def waiting_sentences(study: Study, figures: Sequence[Figure]) -> list[str]:
    """The worst ports of `congestion` figures; the peak of timelines of the congestion ratio; the
    longest call of `calls` figures; the pairs with most data of `rank_pairs` figures."""
    found = []
    for figure in figures:
        if isinstance(figure, Congestion):
            ranked = [ranking for ranking in rankings(study, figure).found if ranking.rows]
            found += [_ports(ranking) for ranking in ranked[:_MOST]]
        elif isinstance(figure, Timeline) and figure.graph == "congestion_ratio":
            found += _peaks(study, figure)[:_MOST]
        elif isinstance(figure, RankPairs):
            found += exchange_sentences(study, figure)
        elif isinstance(figure, ProgramCalls):
            timed = call_times(study, figure).found
            found += [_calls(times) for times in timed if times.rows and not times.is_flagged]
    return found


def _ports(ranking: PortRanking) -> str:
    worst, classes = ranking.rows[0], Counter(row["port"] for row in ranking.rows)
    where = f"{ranking.panel}: packets" if ranking.panel else "Packets"
    listed = [f"{count:,} of class {port}" for port, count in classes.most_common(_MOST)]
    return (
        f"{where} wait longest at port {worst['port']} of router {worst['router']}, where"
        f" a packet waited for {worst['share']:.0%} of the time"
        f" ({quantity(worst['blocked_s'], 's')});"
        f" among the {len(ranking.rows):,} worst of {ranking.waiting:,} ports with waits are"
        f" {listing(listed)}."
    )


def _calls(times: CallTimes) -> str:
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
        f" it spends most time in {longest['call']}"
        f" ({quantity(longest['time_s'], 's')}, {counted(longest['count'], 'call')})."
    )


def _share(part: float) -> str:
    """A part of a program's time; of a small one the first digit that says something."""
    return f"{part:.0%}" if part >= 0.1 else f"{part:.1%}"


def _peaks(study: Study, figure: Timeline) -> list[str]:
    data = timeline_data(study, figure)
    found = []
    for key in dict.fromkeys((row["panel"], row["series"]) for row in data.rows):
        rows = [r for r in data.rows if (r["panel"], r["series"]) == key and r["y"] is not None]
        ours = [row for row in rows if row["kind"] == "answer"]
        if not ours:
            continue
        top = max(ours, key=lambda row: row["y"])
        name = f"{key[0]}: " if key[0] else ""
        text = (
            f"the share of ports at which packets wait is highest {quantity(top['x'], 's')} after"
            f" the start, {top['y']:.0%}; its mean over time is {fmean(r['y'] for r in ours):.0%}"
        )
        found.append(f"{name}{text}." if name else headed([], text))
    return found
