"""How far predictions may be off, because the runs that measured their computing differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weft.report.data.fit_errors import is_predicted
from weft.report.data.settings import place
from weft.report.data.source import Study, Where
from weft.tables.metrics import COMPUTING_SPREAD


def has_spreads(study: Study) -> bool:
    """Whether the study has predictions with measured computing."""
    return COMPUTING_SPREAD in study.answered


def computing_errors(
    study: Study, metric: str, keys: Sequence[str], where: Where
) -> Mapping[tuple[str, ...], float]:
    """By place of `keys`: the share by which predictions of `metric` may be off. Only predicted
    times and rates with measured computing have one."""
    if not has_spreads(study) or not is_predicted(study, metric):
        return {}
    return {place(row.place, keys): row.mean for row in study.means(COMPUTING_SPREAD, keys, where)}
