"""Replicates as comparisons see them: each with its seed, and which places lack some of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from statistics import fmean

from weft.analysis.findings import Value
from weft.report.data.aggregates import ReplicateValues
from weft.report.data.caveats import Caveat
from weft.report.data.distinguishing_settings import place
from weft.report.data.fidelity import MACHINE, fidelity
from weft.report.data.source import Row, Study
from weft.report.data.units import listing, settings_label

#: Below a figure of which some places lack draws.
NOTE = "Where a side lacks a seed, both sides are those of the seeds that they share."
_MOST_NAMED = 3


def value_of(study: Study, replicates: ReplicateValues, error: float = 0.0) -> Value:
    """The mean of replicates, with what was drawn for each of them.

    Several values of one draw are one, their mean. A draw that lacks one of them counts for none.
    """
    found: dict[Hashable, list[float]] = {}
    for draw, value in zip(replicates.draws, replicates.values, strict=True):
        found.setdefault(draw, []).append(value)
    most = max(map(len, found.values()))
    whole = {draw: fmean(each) for draw, each in found.items() if len(each) == most}
    engine = replicates.place.get("engine")
    repeats = engine is not None and _repeats(study, engine)
    mean = Value.of(tuple(whole.values()), tuple(whole))
    return replace(mean, error=error, repeats=repeats)


def _repeats(study: Study, engine: str) -> bool:
    """Whether a machine has another number of replicates than some prediction beside it: they are
    repeats then, which belong to no seed of the prediction."""
    counts = study.seeds_of_engines
    return fidelity(study, engine) == MACHINE and len(set(counts.values())) > 1


def lacking_seeds(study: Study, metrics: Sequence[str]) -> list[Caveat]:
    """Which of the planned seeds have no value of `metrics` where others of the same place have
    one: a comparison leaves them out on both sides."""
    found = [text for metric in metrics for text in _lacking(study, metric)]
    if not found:
        return []
    more = len(found) - _MOST_NAMED
    named = [*found[:_MOST_NAMED], *([f"{more:,} more"] if more > 0 else [])]
    return [
        Caveat(
            f"Seeds without a value: {'; '.join(named)}.",
            "Where values are compared, these seeds count on no side.",
        )
    ]


def _lacking(study: Study, metric: str) -> list[str]:
    rows = study.query(
        "WITH planned AS (SELECT alike, list(seed ORDER BY seed) AS seeds FROM axes"
        " GROUP BY alike HAVING count(*) > 1),"
        " had AS (SELECT alike, message_bytes, list(seed) AS seeds"
        " FROM measured JOIN axes USING (point_id) WHERE metric = ? GROUP BY ALL)"
        " SELECT DISTINCT alike,"
        " list_filter(planned.seeds, lambda each: NOT list_contains(had.seeds, each)) AS lacking"
        " FROM had JOIN planned USING (alike) WHERE len(had.seeds) < len(planned.seeds)"
        " ORDER BY ALL",
        [metric],
    )
    what = study.metrics[metric].label
    return [
        f"{_seeds(row['lacking'])} of {_where(study, study.settings[row['alike']])}"
        f" ({what[:1].lower()}{what[1:]})"
        for row in rows
    ]


def _seeds(seeds: Sequence[int]) -> str:
    return f"{'seed' if len(seeds) == 1 else 'seeds'} {listing(str(seed) for seed in seeds)}"


def _where(study: Study, settings: Row) -> str:
    at = settings_label(place(study, settings))
    return f"{settings['engine']}{f' at {at}' if at else ''}"
