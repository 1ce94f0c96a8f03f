"""One Arrow schema per table.

`docs/tables.md` and `docs/side-tables.md` explain the columns to SQL users.
"""

from collections.abc import Iterable

import pyarrow as pa

from weft.tables.declared import DECLARED, SIDE_TABLES, Column

_text, _int, _float = pa.string(), pa.int64(), pa.float64()

_CELLS = {"text": _text, "integer": _int, "number": _float}

#: Columns that may be missing from files: those of earlier versions, and of engines that leave
#: them out. They are NULL then.
OPTIONAL: dict[str, frozenset[str]] = {
    "runs": frozenset({"flag"}),
    "metrics": frozenset({"flag"}),
    "samples": frozenset({"lost"}),
    **{
        name: frozenset(column.name for column in DECLARED[name].columns if column.is_optional)
        for name in SIDE_TABLES
    },
}


def _schema(columns: Iterable[Column]) -> pa.Schema:
    return pa.schema(
        [("point_id", _text), *((column.name, _CELLS[column.cells]) for column in columns)]
    )


#: Tables that shards fill. What a simulator writes on demand is declared beside its code.
SHARD_TABLES = ("runs", "metrics", "samples", *SIDE_TABLES, "files")
SCHEMAS: dict[str, pa.Schema] = {
    # One row per planned point of an experiment; spec and coordinates are JSON texts.
    "points": pa.schema(
        [
            ("experiment", _text),
            ("point_id", _text),
            ("engine", _text),
            ("replicate", _int),
            ("seed", _int),
            ("spec", _text),
            ("coordinates", _text),
        ]
    ),
    # One row per point and attempt.
    "runs": pa.schema(
        [
            ("point_id", _text),
            ("attempt", _int),
            ("engine", _text),
            ("engine_version", _text),
            ("status", _text),  # done | failed | skipped
            ("error", _text),
            ("log", _text),
            ("wall_s", _float),
            ("cpu_s", _float),
            ("peak_rss_bytes", _int),
            ("host", _text),
            ("image_sha256", _text),
            ("git_commit", _text),
            ("started_at", _text),
            ("environment", _text),  # JSON: MPI library, binding, clock, calibration …
            ("flag", _text),  # why the values are not to be trusted; NULL where they are
        ]
    ),
    # message_bytes is the axis inside a point, null where a metric has none.
    "metrics": pa.schema(
        [
            ("point_id", _text),
            ("metric", _text),
            ("message_bytes", _int),
            ("value", _float),
            ("unit", _text),
            ("flag", _text),
        ]
    ),
    # lost: ranks that lost their processor in the repetition.
    "samples": pa.schema(
        [
            ("point_id", _text),
            ("metric", _text),
            ("message_bytes", _int),
            ("repetition", _int),
            ("value", _float),
            ("unit", _text),
            ("lost", _int),
        ]
    ),
    **{name: _schema(DECLARED[name].columns) for name in SIDE_TABLES},
    # What lies beside the tables of a shard, such as the communication history of a point.
    "files": pa.schema(
        [
            ("point_id", _text),
            ("kind", _text),
            ("path", _text),  # below results/
            ("bytes", _int),
        ]
    ),
    # One row per job that worked on a shard; `outcome` is done, failed, terminated or killed.
    "jobs": pa.schema(
        [
            ("experiment", _text),
            ("engine", _text),
            ("shard", _text),
            ("attempt", _int),
            ("job", _text),
            ("host", _text),
            ("slurm_job_id", _text),
            ("restart_count", _int),
            ("image", _text),
            ("started_at", _text),
            ("ended_at", _text),
            ("points_before", _int),
            ("outcome", _text),
            ("slurm_state", _text),
            ("slurm_nodes", _text),
            ("detail", _text),
        ]
    ),
    "published": pa.schema(
        [
            ("paper", _text),
            ("item", _text),
            ("series", _text),
            ("coordinates", _text),
            ("metric", _text),
            ("value", _float),
            ("unit", _text),
            ("note", _text),
        ]
    ),
}
