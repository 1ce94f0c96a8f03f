"""Coverage, cost and failures of an experiment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weft.files.layout import ExperimentFolder, Layout, log_name
from weft.report.data.axes import SIZE
from weft.report.data.source import Row, Study
from weft.report.data.units import bytes_label, in_unit, key_label, quantity, settings_label, titled

MAX_FAILURES = 50
MAX_COLUMNS = 14
#: How a point may have ended.
ENDED = ("done", "failed", "skipped")


@dataclass
class Coverage:
    """How much of the plan is done; `cells` break it down by the values of `column`."""

    planned: int
    done: int
    failed: int
    skipped: int = 0
    engines: list[Row] = field(default_factory=list)
    column: str | None = None
    columns: list[str] = field(default_factory=list)

    @property
    def missing(self) -> int:
        """Planned points without a result."""
        return self.planned - self.done - self.failed - self.skipped


def coverage(study: Study) -> Coverage:
    """Count planned, done, failed and skipped points per engine and per value of one coordinate."""
    ended = study.query(
        "SELECT alike, status, count(*) AS points FROM axes LEFT JOIN final_runs USING (point_id)"
        " GROUP BY ALL"
    )
    keys = study.distinguishing()
    column = next((k for k in keys if 1 < len(study.values[k]) <= MAX_COLUMNS), None)
    counts: Counter[tuple[str, object, str]] = Counter()
    for row in ended:
        settings = study.settings[row["alike"]]
        where = repr(settings.get(column)) if column else None
        counts[settings["engine"], where, _state(row["status"])] += row["points"]
    values = study.values[column] if column else []
    scale = study.scales.get(column or "")
    result = Coverage(0, 0, 0, column=titled(key_label(column), scale) if column else None)
    result.columns = [in_unit(column or "", value, scale) for value in values]
    for engine in study.engines:
        result.engines.append(_engine_coverage(engine, counts, [repr(v) for v in values]))
    for name in ("planned", "done", "failed", "skipped"):
        setattr(result, name, sum(row[name] for row in result.engines))
    return result


def _state(status: str | None) -> str:
    return status if status in ENDED else "missing"


def _engine_coverage(
    engine: str, counts: Counter[tuple[str, object, str]], values: Sequence[str]
) -> Row:
    # A measurement looks at no placement or topology: it answers beside every value.
    looks = any(name == engine and where in values for name, where, _ in counts)

    def count(state: str, value: object = ...) -> int:
        return sum(
            n for (name, where, has), n in counts.items()
            if name == engine and has == state and (value is ... or not looks or where == value)
        )  # fmt: skip

    row: Row = {state: count(state) for state in (*ENDED, "missing")}
    row |= {"engine": engine, "planned": sum(row.values())}
    row["cells"] = [_cell(*(count(state, v) for state in (*ENDED, "missing"))) for v in values]
    return row


def _cell(done: int, failed: int, skipped: int, missing: int) -> Row:
    total = done + failed + skipped + missing
    state = (
        "none" if not total else "failed" if failed else "skipped" if skipped == total
        else "missing" if not done else "partial" if missing or skipped else "done"
    )  # fmt: skip
    return {"text": f"{done:,}/{total:,}" if total else "–", "state": state}


def costs(study: Study) -> list[Row]:
    """CPU time and memory per engine."""
    rows = study.query(
        "SELECT axes.engine AS engine, count(*) AS points, sum(cpu_s) AS cpu,"
        " median(cpu_s) AS cpu_median, max(cpu_s) AS cpu_max, sum(wall_s) AS wall,"
        " max(peak_rss_bytes) AS memory FROM final_runs JOIN axes USING (point_id)"
        " WHERE status <> 'skipped' GROUP BY ALL"
    )
    rows.sort(key=lambda row: study.engines.index(row["engine"]))
    for row in rows:
        for name in ("cpu", "cpu_median", "cpu_max", "wall"):
            row[name] = quantity(row[name], "s")
        row["memory"] = quantity(row["memory"], "B")
    return rows


def failures(study: Study) -> tuple[list[Row], int]:
    """The first failed points with reason and last log lines, and how many there are."""
    failed = "FROM final_runs JOIN axes USING (point_id) WHERE status = 'failed'"
    (count,) = study.query(f"SELECT count(*) AS points {failed}")
    shown = study.query(
        f"SELECT point_id, axes.engine AS engine, alike, error, log {failed}"
        f" ORDER BY point_id LIMIT {MAX_FAILURES}"
    )
    lines = study.plan.report.log_lines
    asked = {row["point_id"] for row in shown}
    shards = {each: shard for shard in study.plan.shards for each in asked & {*shard.point_ids}}
    sizes = _sizes(study)
    for row in shown:
        alike = row.pop("alike")
        place = [(key, study.settings[alike].get(key)) for key in study.swept]
        if size := sizes.get(alike):
            place.append((SIZE, size))
        row["settings"] = settings_label(place)
        # `runs.log` is the point's own last lines; the file has those of all the shard's points.
        run_log, shard = row["log"] or "", shards.get(row["point_id"])
        row["log"] = shard and log_name(study.plan.experiment, shard.engine, shard.shard_id)
        row["shared"] = len(shard.point_ids) if shard else 0
        last = "\n".join(run_log.splitlines()[-lines:])
        alone = row["shared"] == 1
        row["tail"] = last or (tail(study.folder, row["log"], lines) if alone else "")
    return shown, count["points"]


def _sizes(study: Study) -> dict[int, str]:
    """Message sizes by place in `study.settings`, where they distinguish points."""
    workloads = [point.spec.get("workload") or {} for point in study.distinct]
    asked = [workload.get("message_bytes") for workload in workloads]
    if len({repr(sizes) for sizes in asked}) < 2:
        return {}
    return {n: ", ".join(map(bytes_label, sizes)) for n, sizes in enumerate(asked) if sizes}


def skips(study: Study) -> list[Row]:
    """Why points were skipped: a row for each engine and reason, with the number of points."""
    return study.query(
        "SELECT axes.engine AS engine, coalesce(error, '') AS reason, count(*) AS points"
        " FROM final_runs JOIN axes USING (point_id) WHERE status = 'skipped'"
        " GROUP BY ALL ORDER BY ALL"
    )


def tail(folder: ExperimentFolder, log: str | None, lines: int) -> str:
    """Last lines of the log, wherever it lies relative to; empty when there is none."""
    if not log:
        return ""
    root = Layout.of(folder.results).root
    for path in (Path(log), root / log):
        if path.is_file():
            with path.open("rb") as file:
                file.seek(max(0, path.stat().st_size - 8192))
                text = file.read().decode(errors="replace")
            return "\n".join(text.splitlines()[-lines:])
    return ""
