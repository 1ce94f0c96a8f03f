"""What ran where, in which version and when."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from weft.files.calibrations import read_calibration
from weft.report.data.source import Study
from weft.report.record.readable_facts import (
    Fact,
    decoded,
    fact_label,
    fact_text,
    image_fact,
    listed,
)

MAX_VALUES = 8
MAX_JOBS = 12
_SHOWN_ELSEWHERE = (
    "binding_problem",
    "calibration",
    "hosts",
    "image",
    "command",
    "job",
    "notes",
    "placement",
)


def provenance(study: Study) -> list[tuple[str, list[Fact]]]:
    """The facts recorded beside the runs, by name."""
    facts = [
        ("Engines", _distinct(study, "axes.engine || ' ' || coalesce(engine_version, '')")),
        ("Hosts", _hosts(study)),
        ("Slurm jobs", _jobs(study)),
        ("Git commits", _distinct(study, "git_commit")),
        ("Images", _images(study)),
        ("Runs", _period(study)),
        *_environment(study),
        ("Commands", _commands(study)),
        ("Calibration", calibration_facts(study.folder.calibration)),
    ]
    return [(name, values) for name, values in facts if values]


def _hosts(study: Study) -> list[Fact]:
    """Where jobs ran, and where their ranks did."""
    rows = study.query(
        "SELECT DISTINCT unnest(CAST(environment->'hosts' AS VARCHAR[])) AS host FROM final_runs"
        " UNION SELECT host FROM final_runs"
    )
    return [Fact(host) for host in sorted({row["host"] for row in rows if row["host"]})]


def _jobs(study: Study) -> list[Fact]:
    rows = study.query(
        "SELECT DISTINCT environment->>'job' AS job FROM final_runs"
        " WHERE environment->>'job' IS NOT NULL"
    )
    numbers = sorted((row["job"] for row in rows), key=_by_number)
    found = listed(numbers, MAX_JOBS)
    return [found] if found else []


def _by_number(job: str) -> tuple[list[int], str]:
    return [int(part) for part in re.findall(r"\d+", job)], job


def _images(study: Study) -> list[Fact]:
    rows = study.query(
        "SELECT DISTINCT environment->>'image' AS name, image_sha256 AS sha256 FROM final_runs"
        " ORDER BY ALL"
    )
    found = (image_fact(row["name"], row["sha256"]) for row in rows)
    return [fact for fact in found if fact]


def _distinct(study: Study, expression: str) -> list[Fact]:
    rows = study.query(
        f"SELECT DISTINCT {expression} AS value FROM final_runs JOIN axes USING (point_id)"
        f" WHERE coalesce({expression}, '') <> '' ORDER BY value"
    )
    return [Fact(row["value"]) for row in rows]


def _period(study: Study) -> list[Fact]:
    rows = study.query("SELECT min(started_at) AS first, max(started_at) AS last FROM final_runs")
    first, last = rows[0]["first"], rows[0]["last"]
    if not first:
        return []
    return [Fact(first if first == last else f"{first} to {last}")]


def _environment(study: Study) -> list[tuple[str, list[Fact]]]:
    rows = study.query(
        "SELECT DISTINCT environment FROM final_runs WHERE environment IS NOT NULL ORDER BY ALL"
    )
    found: dict[str, dict[str, object]] = {}
    for row in rows:
        for key, value in decoded(row["environment"]).items():
            text = fact_text(key, value)
            if text and key not in _SHOWN_ELSEWHERE:
                found.setdefault(fact_label(key, value), {})[text] = value
    return [(name, _range(texts) or _first(list(texts))) for name, texts in found.items()]


def _range(texts: Mapping[str, object]) -> list[Fact]:
    """The least and the greatest of many numbers, such as the load at each point; else nothing."""
    numbers = {value: text for text, value in texts.items() if isinstance(value, float)}
    if len(texts) <= 2 or len(numbers) < len(texts):
        return []
    least, most = numbers[min(numbers)], numbers[max(numbers)]
    return [Fact(f"{least} to {most} ({len(texts):,} values)")]


def _first(texts: list[str]) -> list[Fact]:
    left = len(texts) - MAX_VALUES
    more = [Fact(f"and {left:,} more")] if left > 0 else []
    return [*map(Fact, texts[:MAX_VALUES]), *more]


def _commands(study: Study) -> list[Fact]:
    """One command of each program, and how many others there are."""
    rows = study.query(
        "SELECT DISTINCT point_id, environment->>'command' AS command FROM final_runs"
        " WHERE environment->>'command' IS NOT NULL ORDER BY ALL"
    )
    found: dict[str, dict[str, None]] = {}
    settings = study.settings_of(row["point_id"] for row in rows)
    for row in rows:
        program = settings[row["point_id"]].get("workload.program") or "program"
        found.setdefault(program, {})[row["command"]] = None
    facts = []
    for program, commands in sorted(found.items()):
        more = f" (and {len(commands) - 1:,} more)" if len(commands) > 1 else ""
        facts.append(Fact(f"{program}: {next(iter(commands))}{more}"))
    return facts


def calibration_facts(path: Path) -> list[Fact]:
    """The link parameters, how they were fitted and what the fit warns of; the curves stay in the
    file."""
    if not path.is_file():
        return []
    values = read_calibration(path)
    plain = [key for key, value in values.items() if not isinstance(value, dict | list)]
    facts = [Fact(f"{fact_label(key)}: {fact_text(key, values[key])}") for key in plain]
    machine = fact_text("machine", values.get("machine"))
    facts += [Fact(f"Machine: {machine}")] if machine else []
    facts += [Fact(f"Warning: {text}") for text in values.get("warnings") or ()]
    return [*facts, Fact(f"Everything else, such as curves and residuals: {_from_project(path)}")]


def _from_project(path: Path) -> str:
    return "/".join(path.parts[-3:])
