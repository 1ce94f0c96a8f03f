"""One Arrow schema per table; `docs/tables.md` explains the columns to SQL users."""

import pyarrow as pa

_text, _int, _float = pa.string(), pa.int64(), pa.float64()

#: Columns that may be missing from files: those of earlier versions, and of engines that leave
#: them out. They are NULL then.
OPTIONAL: dict[str, frozenset[str]] = {
    "series": frozenset({"label"}),
    "runs": frozenset({"flag"}),
    "metrics": frozenset({"flag"}),
    "samples": frozenset({"lost"}),
    "links": frozenset({"class", "source", "target"}),
    "calls": frozenset({"waiting_s"}),
    "rank_timeline": frozenset({"software_s", "network_s", "waiting_s", "call_s"}),
}

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
    "messages": pa.schema(
        [
            ("point_id", _text),
            ("message_id", _int),
            ("src", _int),
            ("dst", _int),
            ("bytes", _int),
            ("start_s", _float),
            ("finish_s", _float),
            # Bytes over finish_s - start_s; null where a message takes no time.
            ("rate_bytes_per_s", _float),
        ]
    ),
    "links": pa.schema(
        [
            ("point_id", _text),
            ("link", _text),
            ("class", _text),
            ("source", _text),  # the node or router where it begins
            ("target", _text),
            ("bytes", _float),
            ("busy_s", _float),
            ("utilisation", _float),
        ]
    ),
    # Of each link the pairs of nodes that sent most over it, three at most. As a link's own,
    # bytes are those of the window that is measured.
    "link_flows": pa.schema(
        [
            ("point_id", _text),
            ("link", _text),
            ("source", _text),  # a node, as in `links`
            ("destination", _text),
            ("bytes", _float),
        ]
    ),
    # Of each link that several jobs use: what each of them sent over it, and what the others did.
    "job_links": pa.schema(
        [
            ("point_id", _text),
            ("link", _text),
            ("job", _int),  # counted from 1
            ("bytes", _float),
            ("other_bytes", _float),
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
    # What a metric was within each interval of simulated time. `label` names a part of the
    # network: a class of links (x+, up), or a class of their throughput (0–10 %).
    "series": pa.schema(
        [
            ("point_id", _text),
            ("metric", _text),
            ("start_s", _float),
            ("end_s", _float),
            ("value", _float),
            ("unit", _text),
            ("label", _text),
        ]
    ),
    # Calls of a rank, without those that a collective makes. `waiting_s` is the part of `time_s` in
    # which the rank could not go on; a machine does not know it.
    "calls": pa.schema(
        [
            ("point_id", _text),
            ("rank", _int),
            ("call", _text),
            ("count", _int),
            ("time_s", _float),
            ("waiting_s", _float),
        ]
    ),
    # What a rank sent to another one; pairs without a message have no row. Those of a machine lack
    # the messages of collectives.
    "rank_pairs": pa.schema(
        [
            ("point_id", _text),
            ("source", _int),  # a rank
            ("destination", _int),
            ("messages", _int),
            ("bytes", _int),
        ]
    ),
    # What a rank does in an interval: times that add up to it. Of many ranks the table has those at
    # quantiles of the time that ranks wait for others. A machine knows `call_s` and computing, and
    # simulators all but `call_s`.
    "rank_timeline": pa.schema(
        [
            ("point_id", _text),
            ("rank", _int),
            ("quantile", _float),
            ("start_s", _float),
            ("end_s", _float),
            ("compute_s", _float),
            ("software_s", _float),
            ("network_s", _float),
            ("waiting_s", _float),
            ("call_s", _float),
        ]
    ),
    # What bounds the time of a program: all pieces of its critical path of the same kind.
    "critical_path": pa.schema(
        [
            ("point_id", _text),
            ("rank", _int),
            ("call", _text),  # NULL between calls
            ("state", _text),  # compute, software, network, waiting; call on a machine
            ("source", _int),  # of a message, where the network takes the time; measured, of a call
            ("destination", _int),
            ("pieces", _int),
            ("time_s", _float),
        ]
    ),
    # Output ports that packets had to wait for, those with the longest waits first.
    "congestion": pa.schema(
        [
            ("point_id", _text),
            ("router", _int),
            ("port", _text),  # class of its link
            ("link", _text),
            ("blocked_s", _float),
            ("blocked_share", _float),
            ("packets_blocked", _int),
        ]
    ),
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
