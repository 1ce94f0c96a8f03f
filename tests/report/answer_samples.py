"""Stored points of one metric, and the answer that a page gives to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import packet_samples
from report_samples import CONFIGS, Row, make_plan, point, run
from weft.plan import Plan
from weft.report.answers import answer
from weft.report.data.figures import study_figures
from weft.report.data.source import open_study
from weft.report.record.outcome import coverage

LINE = {"x": "topology.k", "y": "makespan_s"}


def stored(folder: Path, values: Any, figures: list[Row], **report: Any) -> tuple[Path, Path]:
    """Points with `makespan_s`: rows of engine, topology, k, replicate and seconds."""
    points, metrics = [], []
    for engine, kind, k, replicate, seconds in values:
        spec: Row = {"topology": {"kind": kind, "k": k}, "network": {"hop_latency_s": 0.0},
                     "workload": {"kind": "messages"}, "options": {}}  # fmt: skip
        at = point(engine, {"topology.kind": kind, "topology.k": k}, spec, replicate)
        points.append(at)
        metrics.append(packet_samples.value(at, "makespan_s", seconds, "s"))
    plan: Plan = make_plan("answers", points, figures)
    plan = replace(plan, stored_report={**plan.stored_report, **report})
    return packet_samples.stored(folder, plan, metrics, [run(at) for at in points])


def sentences(built: tuple[Path, Path]) -> list[str]:
    with open_study(*built, CONFIGS) as study:
        return answer(study, study_figures(study), [], coverage(study)).sentences


def one_engine(*times: tuple[str, int, float]) -> list[tuple[str, str, int, int, float]]:
    return [("flow", kind, k, 0, seconds) for kind, k, seconds in times]
