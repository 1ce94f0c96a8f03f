"""Tables that claims may ask of beside those of the database: what detectors find in series."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import duckdb

_WATCHED = """
SELECT DISTINCT experiment, point_id FROM series
WHERE list_contains(?, experiment) AND metric = 'link_throughput_bytes_per_s' ORDER BY ALL
"""


def create_pulses(con: duckdb.DuckDBPyConnection, experiments: Sequence[str]) -> None:
    """The table `pulses`: experiment, point_id, axis, start_s and end_s of every pulse."""
    # On first use: few claims ask for pulses, and what finds them takes long to import.
    from weft.analysis.pulses import axis_pulses

    con.execute(
        "CREATE OR REPLACE TEMP TABLE pulses (experiment VARCHAR, point_id VARCHAR, axis VARCHAR,"
        " start_s DOUBLE, end_s DOUBLE)"
    )
    rows = [
        (experiment, point_id, axis, pulse.start_s, pulse.end_s)
        for experiment, point_id in con.execute(_WATCHED, [list(experiments)]).fetchall()
        for axis, pulses in axis_pulses(con, experiment, point_id).items()
        for pulse in pulses
    ]
    if rows:
        con.executemany("INSERT INTO pulses VALUES (?, ?, ?, ?, ?)", rows)


DETECTORS: Mapping[str, Callable[[duckdb.DuckDBPyConnection, Sequence[str]], None]] = {
    "pulses": create_pulses,
}


def create_detected(
    con: duckdb.DuckDBPyConnection, asked: Iterable[str], experiments: Sequence[str], place: str
) -> None:
    """The tables that a paper's file asks for under `detected`, of its experiments.

    Raises ValueError for a table that nothing finds; `place` names the file.
    """
    for name in asked:
        if name not in DETECTORS:
            known = ", ".join(DETECTORS)
            raise ValueError(f"{place}: detected: unknown table '{name}'; known are: {known}")
        DETECTORS[name](con, experiments)
