"""Stored points of `makespan_s`, and what a page says of what was expected of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import packet_samples
from report_samples import CONFIGS, Row, make_plan, point, run
from weft.config.language.flow_text import written
from weft.plan import Plan
from weft.report.answers.question import PageSources
from weft.report.data.figures import study_figures
from weft.report.data.references import report_references
from weft.report.data.source import open_study
from weft.report.expected import ExpectationOutcome, judged_expectations

KINDS = ("best", "along", "agreement", "cost", "choices")
LINE = {"line": {"x": "topology.k", "y": "makespan_s"}}


def expected(entry: Row, engines: Sequence[str] = ("flow",)) -> Row:
    """As a plan holds it."""
    kind = next((each for each in KINDS if each in entry), "metric")
    metrics = [entry.get("metric", "makespan_s")]
    statement = {"kind": kind, **entry}
    return {
        "written": written(entry),
        "statement": statement,
        "engines": list(engines),
        "metrics": metrics,
    }


class Points:
    """Points by engine, topology, k and seed, each with seconds or with what became of it."""

    def __init__(self, *values: tuple[str, str, int, int, Any]) -> None:
        self.values = values

    def stored(
        self, folder: Path, expectations: Sequence[Row], figures: Sequence[Row] = (LINE,)
    ) -> tuple[Path, Path]:
        points, metrics, runs = [], [], []
        for engine, kind, k, seed, outcome in self.values:
            spec: Row = {"topology": {"kind": kind, "k": k}, "workload": {"kind": "messages"},
                         "network": {}, "options": {}}  # fmt: skip
            at = point(engine, {"topology.kind": kind, "topology.k": k}, spec, seed)
            points.append(at)
            if outcome == "missing":
                continue
            runs.append(run(at, outcome if outcome in ("failed", "skipped") else "done"))
            flag = "8 of 10 rounds were disturbed" if outcome == "flagged" else None
            seconds = 1e-6 if flag else outcome
            if isinstance(seconds, float):
                value = packet_samples.value(at, "makespan_s", seconds, "s")
                metrics.append({**value, "flag": flag})
        plan: Plan = make_plan("stated", points, list(figures))
        report = {**plan.stored_report, "expect": list(expectations)}
        return packet_samples.stored(folder, replace(plan, stored_report=report), metrics, runs)

    def judged(
        self, folder: Path, entry: Row, engines: Sequence[str] = ("flow",), **more: Any
    ) -> ExpectationOutcome:
        built = self.stored(folder, [expected(entry, engines)], **more)
        with open_study(*built, CONFIGS) as study:
            figures = study_figures(study)
            (found,) = judged_expectations(PageSources(study, figures, report_references(figures)))
        return found


def flow(*times: tuple[int, Any]) -> Points:
    """One topology, by k."""
    return Points(*(("flow", "mesh", k, 0, seconds) for k, seconds in times))
