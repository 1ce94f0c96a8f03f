"""Coverage, cost, failures and provenance of an experiment."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weft.report.source import Row, Study
from weft.report.units import key_label, quantity, settings_label, value_label

MAX_FAILURES = 50
MAX_COLUMNS = 14
LOG_LINES = 12
_SHOWN_ELSEWHERE = ("binding_problem", "calibration", "hosts")
#: Facts whose keys are names, of nodes or variables, and stay as they are.
_NAMES_THINGS = ("fabric", "fabric_variables")


@dataclass
class Coverage:
    """How much of the plan is done; `cells` break it down by the values of `column`."""

    planned: int
    done: int
    failed: int
    engines: list[Row] = field(default_factory=list)
    column: str | None = None
    columns: list[str] = field(default_factory=list)

    @property
    def missing(self) -> int:
        """Planned points without a result."""
        return self.planned - self.done - self.failed


def coverage(study: Study) -> Coverage:
    """Count planned, done and failed points per engine and per value of one coordinate."""
    status = {
        row["point_id"]: row["status"]
        for row in study.query("SELECT point_id, status FROM final_runs")
    }
    column = next((k for k in study.swept if 1 < len(study.values[k]) <= MAX_COLUMNS), None)
    counts: Counter[tuple[str, object, str]] = Counter()
    for point_id, settings in study.settings.items():
        where = repr(settings.get(column)) if column else None
        counts[settings["engine"], where, _state(status.get(point_id))] += 1
    values = study.values[column] if column else []
    result = Coverage(0, 0, 0, column=key_label(column) if column else None)
    result.columns = [value_label(column or "", value) for value in values]
    for engine in study.engines:
        result.engines.append(_engine_coverage(engine, counts, [repr(v) for v in values]))
    for name in ("planned", "done", "failed"):
        setattr(result, name, sum(row[name] for row in result.engines))
    return result


def _state(status: str | None) -> str:
    return status if status in ("done", "failed") else "missing"


def _engine_coverage(
    engine: str, counts: Counter[tuple[str, object, str]], values: Sequence[str]
) -> Row:
    def count(state: str, value: object = ...) -> int:
        return sum(
            n for (name, where, has), n in counts.items()
            if name == engine and has == state and (value is ... or where == value)
        )  # fmt: skip

    row: Row = {state: count(state) for state in ("done", "failed", "missing")}
    row |= {"engine": engine, "planned": sum(row.values())}
    row["cells"] = [
        _cell(count("done", v), count("failed", v), count("missing", v)) for v in values
    ]
    return row


def _cell(done: int, failed: int, missing: int) -> Row:
    total = done + failed + missing
    state = (
        "none" if not total else "failed" if failed else "missing" if not done
        else "partial" if missing else "done"
    )  # fmt: skip
    return {"text": f"{done:,}/{total:,}" if total else "–", "state": state}


def costs(study: Study) -> list[Row]:
    """CPU time and memory per engine."""
    rows = study.query(
        "SELECT axes.engine AS engine, count(*) AS points, sum(cpu_s) AS cpu,"
        " median(cpu_s) AS cpu_median, max(cpu_s) AS cpu_max, sum(wall_s) AS wall,"
        " max(peak_rss_bytes) AS memory FROM final_runs JOIN axes USING (point_id)"
        " GROUP BY ALL"
    )
    rows.sort(key=lambda row: study.engines.index(row["engine"]))
    for row in rows:
        for name in ("cpu", "cpu_median", "cpu_max", "wall"):
            row[name] = quantity(row[name], "s")
        row["memory"] = quantity(row["memory"], "B")
    return rows


def failures(study: Study) -> tuple[list[Row], int]:
    """The first failed points with reason and last log lines, and how many there are."""
    rows = study.query(
        "SELECT point_id, axes.engine AS engine, error, log FROM final_runs"
        " JOIN axes USING (point_id) WHERE status = 'failed' ORDER BY point_id"
    )
    shown = rows[:MAX_FAILURES]
    lines = int(study.plan.report.get("log_lines") or LOG_LINES)
    folders = {
        point_id: f"results/{study.plan.experiment}/{shard.engine}/{shard.shard_id}"
        for shard in study.plan.shards
        for point_id in shard.point_ids
    }
    for row in shown:
        settings = study.settings[row["point_id"]]
        row["settings"] = settings_label((key, settings.get(key)) for key in study.swept)
        told, folder = row["log"], folders.get(row["point_id"])
        row["tail"] = tail(study.plan_path, told, lines)
        if folder and not row["tail"]:
            # Engines may keep a point's last lines themselves; the file has those of all points.
            row["log"] = f"{folder}/run.log"
            last = "\n".join((told or "").splitlines()[-lines:])
            row["tail"] = last or tail(study.plan_path, row["log"], lines)
    return shown, len(rows)


def tail(plan_path: Path, log: str | None, lines: int) -> str:
    """Last lines of the log, wherever it lies relative to; empty when there is none."""
    if not log:
        return ""
    root = plan_path.absolute().parent.parent.parent
    for path in (Path(log), root / log):
        if path.is_file():
            with path.open("rb") as file:
                file.seek(max(0, path.stat().st_size - 8192))
                text = file.read().decode(errors="replace")
            return "\n".join(text.splitlines()[-lines:])
    return ""


def provenance(study: Study) -> list[tuple[str, list[str]]]:
    """What ran where, in which version and when."""
    facts = [
        ("Engines", _distinct(study, "axes.engine || ' ' || coalesce(engine_version, '')")),
        ("Hosts", _hosts(study)),
        ("Git commits", _distinct(study, "git_commit")),
        ("Images", _distinct(study, "image_sha256")),
        ("Runs", _period(study)),
        *_environment(study),
        ("Calibration", _calibration(study.plan_path.parent / "calibration.json")),
    ]
    return [(name, values) for name, values in facts if values]


def _hosts(study: Study) -> list[str]:
    """Where jobs ran, and where their ranks did."""
    ranks = study.query(
        "SELECT DISTINCT unnest(CAST(environment->'hosts' AS VARCHAR[])) AS host FROM final_runs"
    )
    return sorted({*_distinct(study, "host"), *(row["host"] for row in ranks if row["host"])})


def _distinct(study: Study, expression: str) -> list[str]:
    rows = study.query(
        f"SELECT DISTINCT {expression} AS value FROM final_runs JOIN axes USING (point_id)"
        f" WHERE coalesce({expression}, '') <> '' ORDER BY value"
    )
    return [row["value"] for row in rows]


def _period(study: Study) -> list[str]:
    rows = study.query("SELECT min(started_at) AS first, max(started_at) AS last FROM final_runs")
    first, last = rows[0]["first"], rows[0]["last"]
    if not first:
        return []
    return [first if first == last else f"{first} to {last}"]


def _environment(study: Study) -> list[tuple[str, list[str]]]:
    rows = study.query(
        "SELECT DISTINCT environment FROM final_runs WHERE environment IS NOT NULL ORDER BY ALL"
    )
    found: dict[str, list[str]] = {}
    for row in rows:
        for key, value in _decoded(row["environment"]).items():
            if key in _SHOWN_ELSEWHERE:
                continue
            values = found.setdefault(fact_label(key), [])
            text = _fact(key, value)
            if text and text not in values:
                values.append(text)
    return [(key, values[:8]) for key, values in found.items()]


def _decoded(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {"environment": text}
    return value if isinstance(value, dict) else {"environment": text}


def fact_label(key: str) -> str:
    """A recorded fact's name: units go with the value, abbreviations stay capital."""
    for ending in ("_bytes_per_s", "_s", "_bytes"):
        key = key.removesuffix(ending)
    words = key_label(key).split()
    return " ".join(w.upper() if w.lower() in ("mpi", "cpu", "os") else w for w in words)


def _fact(key: str, value: object) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, dict):
        named = key in _NAMES_THINGS
        parts = (f"{k if named else fact_label(k).lower()} {_fact(k, v)}" for k, v in value.items())
        return ", ".join(part for part in parts if not part.endswith(" "))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_fact(key, entry) for entry in value)
    if isinstance(value, float):
        unit = "B/s" if key.endswith("_per_s") else "s" if key.endswith("_s") else ""
        return quantity(value, unit)
    return str(value)


def _calibration(path: Path) -> list[str]:
    if not path.is_file():
        return []
    values = json.loads(path.read_text())
    return [f"{fact_label(key)}: {_fact(key, value)}" for key, value in values.items()]
