"""The stamp of an experiment: what became of its points, and a digest of all that a page shows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import duckdb

from weft.database.found import Collected
from weft.files import JsonObject, sealed_text, unsealed
from weft.files.layout import ExperimentFolder, Results
from weft.plan.outcome import FLAGGED, OUTCOMES, DamagedError

#: Of a point that no shard has an outcome of.
MISSING = "missing"
_COUNTS = """
SELECT coalesce(outcome, $missing), count(DISTINCT p.point_id)
FROM (SELECT point_id FROM points WHERE experiment = $experiment) AS p
LEFT JOIN outcomes USING (point_id) GROUP BY ALL
"""
_POINTS = "SELECT count(DISTINCT point_id) FROM points WHERE experiment = ?"


def read_stamp(folder: ExperimentFolder) -> JsonObject:
    """What the stamp of an experiment says.

    Raises DamagedError for one that is not what was written, and OSError where there is none.
    """
    try:
        return unsealed(folder.stamp.read_bytes().rstrip(b"\n"), required=True)
    except ValueError as error:
        raise DamagedError(f"{folder.stamp} is damaged ({error})") from error


def stamp_path(results: Path, experiment: str) -> Path:
    """The file that says what the database holds of `experiment`."""
    return Results(results).experiment(experiment).stamp


def stamp_text(
    con: duckdb.DuckDBPyConnection, mine: Collected, published: Sequence[Mapping[str, object]]
) -> str:
    """The stamp of an experiment whose rows are in the database; the same until they change.

    `con` has the table `outcomes` of its points.
    """
    name = mine.plan.experiment
    counts = con.execute(_COUNTS, {"experiment": name, "missing": MISSING}).fetchall()
    content = {
        "points": con.execute(_POINTS, [name]).fetchall()[0][0],
        **dict.fromkeys((*OUTCOMES, FLAGGED, MISSING), 0),
        **dict(counts),
        "digest": _digest(mine, published),
    }
    return sealed_text(json.dumps(content, indent=1)) + "\n"


def _digest(mine: Collected, published: Sequence[Mapping[str, object]]) -> str:
    """Of everything that a report may show of these shards."""
    digest = sha256(json.dumps(published, sort_keys=True).encode())
    digest.update(mine.plan.points.digest.encode())
    digest.update(json.dumps(mine.jobs, sort_keys=True).encode())
    for shard in mine.shards:
        digest.update(json.dumps(shard.digests, sort_keys=True).encode())
    return digest.hexdigest()
