"""What a page says of values that are not to be trusted: measured on a busy machine, or simulated
and in contradiction to what the network counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from weft.analysis.pingpongs import METRICS
from weft.files.calibrations import read_calibration, residuals_of
from weft.plan.spec import Calibration
from weft.report.data.aggregates import MeanValue
from weft.report.data.caveats import Caveat
from weft.report.data.fidelity import MACHINE, fidelity
from weft.report.data.fit_errors import FITTED, fits_used
from weft.report.data.series_values import SeriesValue
from weft.report.data.source import Row, Study, Where
from weft.report.data.units import counted, factor
from weft.tables.metrics import NOT_ANSWERS, UNFITTING

BUSY = "measured on a busy machine"
MADE_UP = f"{UNFITTING} (a program may have made it up)"
#: In a cell of a map, where a hollow mark has no room.
SIGN = "○"
#: Why a measurement that was asked for like this judges no prediction.
CROWDED = "more ranks than processors"
_CROWDED_NOTE = f"Hollow marks: measured with {CROWDED}; they judge no prediction."
_AGAIN = "measure again with --config retry_flagged=true"


def flagged_values(study: Study) -> list[Caveat]:
    """How many values judge nothing and why, and how sure the link parameters are."""
    return [*_flagged(study), *_crowded(study), *_busy_fit(study), *_rough_fit(study)]


def _flagged(study: Study) -> list[Caveat]:
    # Few values are flagged, and there may be millions of them to count.
    if not study.query(
        "SELECT 1 FROM metrics WHERE experiment = getvariable('experiment')"
        " AND flag IS NOT NULL LIMIT 1"
    ):
        return []
    rows = study.query(
        "SELECT axes.engine AS engine, count(*) AS total, count(flag) AS bad, mode(flag) AS reason"
        " FROM measured JOIN axes USING (point_id)"
        f" WHERE metric NOT IN {tuple(sorted(NOT_ANSWERS))}"
        " GROUP BY ALL HAVING count(flag) > 0 ORDER BY ALL"
    )
    return [_flagged_caveat(row) for row in rows]


def _flagged_caveat(row: Row) -> Caveat:
    """A measurement may be repeated; another simulation would give the same."""
    is_made_up = is_unfitting(row["reason"])
    begin = MADE_UP if is_made_up else BUSY
    again = "" if is_made_up else f"; {_AGAIN}"
    return Caveat(
        f"{capitalized(begin)}: {row['bad']:,} of {counted(row['total'], 'value')} of"
        f" {row['engine']} {'is' if row['bad'] == 1 else 'are'} flagged ({row['reason']}).",
        f"{_judged(row)} they are marked in the figures{again}.",
    )


def capitalized(why: str) -> str:
    """The reason at the begin of a sentence."""
    return f"{why[0].upper()}{why[1:]}"


def is_unfitting(flag: str | None) -> bool:
    """Whether the value is a simulated one that does not fit what its network counted."""
    return flag is not None and UNFITTING in flag


def _crowded(study: Study) -> list[Caveat]:
    """Ranks that share processors measure the operating system's scheduler, too."""
    # No rank of a simulation shares a processor, and there may be millions of values to count.
    if not study.query("SELECT 1 FROM crowded LIMIT 1"):
        return []
    rows = study.query(
        "SELECT axes.engine AS engine, count(*) AS total, count(crowded.point_id) AS bad"
        " FROM measured JOIN axes USING (point_id) LEFT JOIN crowded USING (point_id)"
        f" WHERE metric NOT IN {tuple(sorted(NOT_ANSWERS))}"
        " GROUP BY ALL HAVING count(crowded.point_id) > 0 ORDER BY ALL"
    )
    return [
        Caveat(
            f"Measured with {CROWDED}: {row['bad']:,} of {counted(row['total'], 'value')} of"
            f" {row['engine']}.",
            "They are shown, and judge no prediction.",
        )
        for row in rows
    ]


def _judged(row: Row) -> str:
    if row["bad"] == row["total"]:
        return "So nothing here judges a prediction:"
    return "No prediction is judged by them:"


def has_busy_fit(study: Study) -> bool:
    """Whether this experiment fits its network to a ping-pong that was measured on a busy machine
    throughout: a fit leaves such times out where there are others."""
    machines = tuple(each for each in study.engines if fidelity(study, each) == MACHINE)
    if FITTED not in study.values or not machines:
        return False
    (row,) = study.query(
        "SELECT count(*) AS total, count(flag) AS bad FROM measured JOIN axes USING (point_id)"
        " WHERE metric = ? AND list_contains(?, axes.engine)",
        [METRICS["one_way"], list(machines)],
    )
    return bool(row["total"]) and row["total"] == row["bad"]


def _busy_fit(study: Study) -> list[Caveat]:
    if not has_busy_fit(study):
        return []
    return [
        Caveat(
            "The network was fitted to a ping-pong on a busy machine.",
            f"Predictions on it are shown, and are not compared with the machine: {_AGAIN}.",
        )
    ]


def _rough_fit(study: Study) -> list[Caveat]:
    """Link parameters from a robust fit, or of a line with large residuals, that an engine uses."""
    try:
        fit = cast("Calibration", read_calibration(study.folder.calibration))
    except FileNotFoundError:
        return []
    if fit.get("confidence") != "rough" or "line" not in fits_used(study, residuals_of(fit)):
        return []
    return [
        Caveat(
            f"The link parameters are a rough fit ({fit['method']}).",
            f"The residuals of their line are {fit['relative_residual_rms']:.0%} (root mean"
            f" square), and a measured size is {factor(fit['worst_ratio'])} from it.",
        )
    ]


def doubtful(study: Study, metric: str, keys: Sequence[str], where: Where) -> list[MeanValue]:
    """The means of `metric` by `keys` that judge nothing: a value of them is flagged, or ranks
    shared processors."""
    # Few values are flagged, and there may be millions of them to look through.
    if not study.query(
        "SELECT 1 FROM metrics WHERE experiment = getvariable('experiment')"
        " AND flag IS NOT NULL UNION ALL SELECT 1 FROM crowded LIMIT 1"
    ):
        return []
    return [row for row in study.means(metric, keys, where) if row.flag or row.crowded]


def reason(mean: MeanValue) -> str | None:
    """Why the mean judges nothing; None where it does."""
    return mean.flag or (CROWDED if mean.crowded else None)


def mark(flag: str | None) -> str:
    """What stands behind a number in a table that is `flag`ged; nothing without a flag."""
    return {None: "", CROWDED: " (crowded)"}.get(flag, " (flagged)")


def note(rows: Iterable[SeriesValue]) -> list[str]:
    """What stands below a figure with flagged values."""
    flags = {row.flag for row in rows if row.flag}
    notes = [f"Hollow marks: {why}, not to be trusted." for why in reasons(flags - {CROWDED})]
    return [*notes, *([_CROWDED_NOTE] if CROWDED in flags else [])]


def cell_note(flags: Iterable[str]) -> list[str]:
    """What stands below a map with flagged cells."""
    return [
        f"{SIGN} in a cell: {why}, not to be trusted and not counted." for why in reasons(flags)
    ]


def reasons(flags: Iterable[str]) -> list[str]:
    """Why values with these flags are not to be trusted."""
    kinds = {is_unfitting(flag) for flag in flags}
    return [why for why, is_kind in ((BUSY, False), (MADE_UP, True)) if is_kind in kinds]
