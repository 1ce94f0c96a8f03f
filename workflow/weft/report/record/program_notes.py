"""What engines said of the programs that they ran."""

from __future__ import annotations

from weft.report.data.source import Study
from weft.report.data.units import listing

#: More sentences than these are in the logs alone.
_SHOWN = 5


def program_notes(study: Study) -> list[str]:
    """Each note once, behind the engines that said it."""
    rows = study.query(
        "SELECT DISTINCT axes.engine AS engine,"
        " unnest(CAST(environment->'notes' AS VARCHAR[])) AS note"
        " FROM final_runs JOIN axes USING (point_id) ORDER BY ALL"
    )
    engines: dict[str, list[str]] = {}
    for row in rows:
        engines.setdefault(row["note"], []).append(row["engine"])
    found = [f"Note of {listing(names)}: {note}" for note, names in engines.items()]
    left = len(found) - _SHOWN
    return found if left <= 0 else [*found[:_SHOWN], f"The logs hold {left:,} more notes"]
