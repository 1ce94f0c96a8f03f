"""What a page says of values that were measured on a busy machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from weft.files.calibrations import read_calibration, residuals_of
from weft.plan.spec import Calibration
from weft.report.data.fit_errors import fits_used
from weft.report.data.source import Row, Study, Where
from weft.report.data.units import counted, factor
from weft.tables.metrics import NOT_ANSWERS

NOTE = "Hollow marks: measured on a busy machine, not to be trusted."
#: In a cell of a map, where a hollow mark has no room.
SIGN = "○"
CELL_NOTE = f"{SIGN} in a cell: measured on a busy machine, not to be trusted and not counted."
#: Why a measurement that was asked for like this judges no prediction.
CROWDED = "more ranks than processors"
_CROWDED_NOTE = f"Hollow marks: measured with {CROWDED}; they judge no prediction."
_AGAIN = "measure again with --config retry_flagged=true"


def flagged_sentences(study: Study) -> list[str]:
    """How many measured values judge nothing and why, and how sure the link parameters are."""
    return [*_flagged(study), *_crowded(study), *_rough_fit(study)]


def _flagged(study: Study) -> list[str]:
    # Simulated values are never flagged, and there may be millions of them to count.
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
    return [
        f"Measured on a busy machine: {row['bad']:,} of {counted(row['total'], 'value')} of"
        f" {row['engine']} {'is' if row['bad'] == 1 else 'are'} flagged ({row['reason']})."
        f" {_judged(row)} they are marked in the figures; {_AGAIN}."
        for row in rows
    ]


def _crowded(study: Study) -> list[str]:
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
        f"Measured with {CROWDED}: {row['bad']:,} of {counted(row['total'], 'value')} of"
        f" {row['engine']}. They are shown, and judge no prediction."
        for row in rows
    ]


def _judged(row: Row) -> str:
    if row["bad"] == row["total"]:
        return "So nothing here judges a prediction:"
    return "No prediction is judged by them:"


def _rough_fit(study: Study) -> list[str]:
    """Link parameters from a robust fit, or of a line with large residuals, that an engine uses."""
    try:
        fit = cast("Calibration", read_calibration(study.folder.calibration))
    except FileNotFoundError:
        return []
    if fit.get("confidence") != "rough" or "line" not in fits_used(study, residuals_of(fit)):
        return []
    return [
        f"The link parameters are a rough fit ({fit['method']}): the residuals of their line are"
        f" {fit['relative_residual_rms']:.0%} (root mean square), and a measured size is"
        f" {factor(fit['worst_ratio'])} from it."
    ]


def doubtful(study: Study, metric: str, keys: Sequence[str], where: Where) -> list[Row]:
    """The groups of `metric` by `keys` that judge nothing: a value of them is flagged, or ranks
    shared processors."""
    # Simulated values are never flagged, and there may be millions of them to look through.
    if not study.query(
        "SELECT 1 FROM metrics WHERE experiment = getvariable('experiment')"
        " AND flag IS NOT NULL UNION ALL SELECT 1 FROM crowded LIMIT 1"
    ):
        return []
    return [row for row in study.groups(metric, keys, where) if row["flag"] or row["crowded"]]


def reason(row: Row) -> str | None:
    """Why a group of values judges nothing; None where it does."""
    return row["flag"] or (CROWDED if row["crowded"] else None)


def mark(flag: str | None) -> str:
    """What stands behind a number in a table that is `flag`ged; nothing without a flag."""
    return {None: "", CROWDED: " (crowded)"}.get(flag, " (flagged)")


def note(rows: Iterable[Row]) -> list[str]:
    """What stands below a figure with flagged values."""
    flags = {row["flag"] for row in rows if row.get("flag")}
    notes = {NOTE: bool(flags - {CROWDED}), _CROWDED_NOTE: CROWDED in flags}
    return [text for text, stands in notes.items() if stands]
