"""One Arrow schema per table; `docs/tables.md` explains the columns to SQL users."""

import pyarrow as pa

_text, _int, _float = pa.string(), pa.int64(), pa.float64()

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
        ]
    ),
    "samples": pa.schema(
        [
            ("point_id", _text),
            ("metric", _text),
            ("message_bytes", _int),
            ("repetition", _int),
            ("value", _float),
            ("unit", _text),
        ]
    ),
    "messages": pa.schema(
        [
            ("point_id", _text),
            ("message_id", _int),
            ("src", _int),
            ("dst", _int),
            ("bytes", _int),
            ("start_s", _float),
            ("finish_s", _float),
        ]
    ),
    "links": pa.schema(
        [
            ("point_id", _text),
            ("link", _text),
            ("bytes", _float),
            ("busy_s", _float),
            ("utilisation", _float),
        ]
    ),
    # Flits per cycle that each node offered to the network and took from it.
    "nodes": pa.schema(
        [
            ("point_id", _text),
            ("node", _int),
            ("injected_rate", _float),
            ("accepted_rate", _float),
        ]
    ),
    # The buffer of each virtual channel at the end of a link.
    "buffers": pa.schema(
        [
            ("point_id", _text),
            ("link", _text),
            ("vc", _int),
            ("occupancy_mean_flits", _float),
            ("occupancy_max_flits", _int),
            ("capacity_flits", _int),
        ]
    ),
    # What a metric was within each interval of simulated time.
    "series": pa.schema(
        [
            ("point_id", _text),
            ("metric", _text),
            ("start_s", _float),
            ("end_s", _float),
            ("value", _float),
            ("unit", _text),
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
