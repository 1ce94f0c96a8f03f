"""What happened to jobs, what is still without a result, and what was wrong while measuring."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import groupby

from weft.files.layout import log_name
from weft.report.data.source import Row, Study
from weft.report.record.outcome import tail

MAX_SHARDS = 50


@dataclass
class JobHistory:
    """All jobs, those worth reporting by shard, and shards that have no result."""

    count: int = 0
    troubled: list[Row] = field(default_factory=list)
    missing: list[Row] = field(default_factory=list)
    missing_count: int = 0

    @property
    def quiet(self) -> bool:
        """Whether there is nothing to report."""
        return not self.troubled and not self.missing


def job_history(study: Study) -> JobHistory:
    """The history of the experiment's jobs; shards beyond the first few are only counted."""
    rows = study.query(
        "SELECT * FROM jobs WHERE experiment = getvariable('experiment')"
        " ORDER BY engine, shard, attempt"
    )
    found = JobHistory(len(rows))
    for (engine, shard), group in groupby(rows, key=lambda row: (row["engine"], row["shard"])):
        jobs = list(group)
        if any(job["outcome"] != "done" for job in jobs):
            story = [sentence for job in jobs for sentence in _story(job)]
            found.troubled.append(
                {"engine": engine, "shard": shard, "attempts": len(jobs), "story": story}
            )
    missing = list(_missing(study))
    found.missing, found.missing_count = missing[:MAX_SHARDS], len(missing)
    found.troubled = found.troubled[:MAX_SHARDS]
    for row in found.missing:
        lines = study.plan.report.log_lines
        row["tail"] = tail(study.folder, row["log"], lines)
    return found


def _missing(study: Study) -> list[Row]:
    return [
        {
            "engine": shard.engine,
            "shard": shard.shard_id,
            "points": len(shard.point_ids),
            "log": log_name(study.plan.experiment, shard.engine, shard.shard_id),
        }
        for shard in study.plan.shards
        if not study.folder.shard(shard.engine, shard.shard_id).status.exists()
    ]


def _story(job: Row) -> list[str]:
    """What is reported of one job: where it resumed, and how it ended."""
    text = []
    if job["attempt"] > 1 and job["points_before"]:
        points = "1 point" if job["points_before"] == 1 else f"{job['points_before']:,} points"
        text.append(f"resumed with {points} done")
    place = job["slurm_nodes"] or job["host"]
    where = f" on {place}" if place else ""
    number = f" (Slurm job {job['slurm_job_id']})" if job["slurm_job_id"] else ""
    if job["outcome"] == "done":
        return [*text, f"finished{where}{number}"]
    if job["outcome"] is None:
        return [*text, f"running{where}{number}, or killed a short time ago"]
    reason = f": {job['slurm_state']}" if job["slurm_state"] else ""
    detail = f": {job['detail']}" if job["detail"] else ""
    return [
        *text,
        f"{_ENDINGS.get(job['outcome'], job['outcome'])}{reason}{where}{number}{detail}",
    ]


_ENDINGS = {"terminated": "ended by SIGTERM", "lost": "ended before it began"}


def binding_notices(study: Study) -> list[str]:
    """What was wrong with the placement of ranks while measuring; shown beside the figures."""
    rows = study.query(
        "SELECT DISTINCT axes.engine AS engine, environment FROM final_runs"
        " JOIN axes USING (point_id) WHERE environment LIKE '%binding_problem%' ORDER BY ALL"
    )
    found: dict[str, None] = {}
    for row in rows:
        try:
            problem = json.loads(row["environment"]).get("binding_problem")
        except (ValueError, AttributeError):
            continue
        if problem:
            found[f"{row['engine']}: {problem}"] = None
    return list(found)
