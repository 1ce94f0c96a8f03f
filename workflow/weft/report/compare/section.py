"""The comparison that an experiment's own page shows: `report: {compare: [a, b]}`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from weft.report.compare.page import comparison_values
from weft.report.data.source import Study, open_study


@dataclass(frozen=True, slots=True)
class SideBySide:
    """What to show; or, if there is nothing to show, the names that were not run yet."""

    names: tuple[str, ...]
    missing: tuple[str, ...] = ()
    shown: dict[str, object] | None = None


def side_by_side(study: Study, database: Path, configs: Path) -> SideBySide | None:
    """None unless the report asks for a comparison."""
    asked = tuple(study.plan.report.compare or ())
    if not asked:
        return None
    held = {row["experiment"] for row in study.query("SELECT DISTINCT experiment FROM points")}
    plans = [study.folder.results.experiment(name).plan for name in asked]
    missing = tuple(
        name
        for name, plan in zip(asked, plans, strict=True)
        if name not in held or not plan.is_file()
    )
    if missing:
        return SideBySide(asked, missing)
    with open_study(plans[0], database, configs) as a, open_study(plans[1], database, configs) as b:
        shown = comparison_values(a, b, "compared")
    # The experiment's own figures have such titles, too.
    whose = f" ({shown['names']['a']} and {shown['names']['b']})"
    shown["drawings"] = [replace(d, title=d.title + whose) for d in shown["drawings"]]
    return SideBySide(asked, shown=shown)
