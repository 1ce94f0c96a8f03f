"""Programs that read and write files: their time is that of a model of the storage."""

from __future__ import annotations

from weft.report.data.caveats import Caveat
from weft.report.data.source import Study
from weft.report.data.units import listing, quantity

_LATENCY, _RATE = "options.storage_latency_s", "options.storage_bandwidth_bytes_per_s"


def file_times(study: Study) -> list[Caveat]:
    """A line for each storage that predictions with files assume, with its engines."""
    rows = study.query(
        "SELECT DISTINCT axes.engine AS engine, point_id FROM measured JOIN axes USING (point_id)"
        " WHERE metric = 'file_accesses' ORDER BY ALL"
    )
    settings = study.settings_of(row["point_id"] for row in rows)
    engines: dict[tuple[float, float], dict[str, None]] = {}
    for row in rows:
        own = settings[row["point_id"]]
        storage = float(own[_LATENCY]), float(own[_RATE])
        engines.setdefault(storage, {})[row["engine"]] = None
    return [
        Caveat(
            f"The time of files in {listing(names)} is that of a model.",
            f"Each access takes {quantity(latency_s, 's')} and its data at"
            f" {quantity(rate, 'B/s')}, which all ranks share; there is no cache.",
        )
        for (latency_s, rate), names in engines.items()
    ]
