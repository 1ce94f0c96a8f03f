"""Choices of maps that are right often enough, or lose little enough."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from weft.analysis.bounds import HELD, MISSED, VOID
from weft.config.model.expectation import ChoicesExpected
from weft.config.model.figures import BestChoice
from weft.report.answers.question import PageSources
from weft.report.data.units import counted
from weft.report.expected.completeness import unjudged
from weft.report.expected.limits import beyond, bound_of
from weft.report.expected.outcome import JudgedPart
from weft.report.kinds.choice.finding import judging_panels
from weft.report.kinds.choice.rows import ChoiceData, choice_data


def judged_maps(page: PageSources, stated: ChoicesExpected) -> Iterator[tuple[str, JudgedPart]]:
    """What each panel of each judged map of the metric says, with its name."""
    for figure in page.figures:
        if not isinstance(figure, BestChoice) or stated.metric not in (None, figure.metric):
            continue
        if figure.to or (figure.published and stated.choices == "right"):
            data = choice_data(page.study, figure)
            for panel in judging_panels(data):
                name = data.name(panel) or figure.title or data.judge
                yield name, _judged(page, stated, data, panel)


def _judged(
    page: PageSources, stated: ChoicesExpected, data: ChoiceData, panel: object
) -> JudgedPart:
    figure, bound = data.figure, bound_of(stated, "1")
    where = {**figure.where, **({figure.row: panel} if figure.row else {})}
    for filters in (where, {**where, **(figure.to or {})}):
        if why := unjudged(page.study, figure.metric, filters):
            return JudgedPart(VOID, why)
    lost = data.lost(panel)
    if stated.choices == "lost":
        if not lost:
            return JudgedPart(VOID, "no cell has a judge")
        share, text = fmean(lost), f"{fmean(lost):.2%} on average"
    else:
        known = [not c.differs for c in data.of(panel) if c.other is not None]
        right = [each <= 0 for each in lost] or known
        if not right:
            return JudgedPart(VOID, "no cell has a judge")
        share = fmean(right)
        text = f"right in {sum(right):,} of {counted(len(right), 'cell')}"
    met = bound.met(share)
    return JudgedPart(HELD if met else MISSED, f"{text}{beyond(share, bound)}")
