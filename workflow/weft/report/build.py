"""Building pages: one per experiment, one per paper, and the index of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from weft.plan.model import read_plan
from weft.report.answers import answer
from weft.report.command import rerun_command
from weft.report.drawings import comparison_row, error_drawings, figure_drawing
from weft.report.fidelity import left_out
from weft.report.figures import Figure, default_figures, parse_figures
from weft.report.histories import histories
from weft.report.jobs import binding_notices, job_history
from weft.report.measured import measured_on
from weft.report.page import Drawing, render
from weft.report.palette import Palette
from weft.report.panels import costs, coverage, failures, skips
from weft.report.paper import paper_values
from weft.report.provenance import provenance
from weft.report.references import (
    comparisons,
    metric_wheres,
    report_metrics,
    report_references,
)
from weft.report.source import Study, open_study
from weft.report.titles import figure_titles


def build_report(plan_path: Path, database: Path, configs: Path, out: Path) -> None:
    """Write the report of one experiment to `out`."""
    with open_study(plan_path, database, configs) as study:
        render("report.html", out, report_values(study, out))


def report_values(study: Study, out: Path) -> dict[str, Any]:
    """Everything the template of a report at `out` shows."""
    figures = study_figures(study)
    references = report_references(figures)
    palette = Palette()
    covered = coverage(study)
    drawings = figure_drawings(study, figures, palette)
    compared = [
        c
        for m in report_metrics(study, figures)
        for c in comparisons(study, m, references, metric_wheres(figures, m))
    ]
    failed, failed_count = failures(study)
    history = job_history(study)
    return {
        "title": study.plan.title or study.plan.experiment,
        "experiment": study.plan.experiment,
        "question": study.plan.question,
        "answer": answer(study, figures, references, covered),
        "left_out": left_out(study),
        "coverage": covered,
        "drawings": drawings,
        "histories": histories(study, out),
        "comparisons": [comparison_row(study, c) for c in compared],
        "errors": error_drawings(study, figures, compared, palette),
        "costs": costs(study),
        "failures": failed,
        "failed_count": failed_count,
        "skips": skips(study),
        "jobs": history,
        "notices": binding_notices(study),
        "measured": measured_on(study),
        "provenance": provenance(study),
        "command": rerun_command(study),
    }


def figure_drawings(study: Study, figures: Sequence[Figure], palette: Palette) -> list[Drawing]:
    """All figures of a page, each with a title of its own."""
    found = []
    for number, (figure, title) in enumerate(
        zip(figures, figure_titles(study, figures), strict=True), 1
    ):
        drawing = figure_drawing(study, figure, f"figure-{number}", palette)
        found.append(replace(drawing, title=title))
    return found


def study_figures(study: Study) -> list[Figure]:
    """The figures the experiment asks for, else a sensible few."""
    return parse_figures(study.plan.report) or default_figures(study)


def build_paper(
    paper: str, plan_paths: Sequence[Path], database: Path, configs: Path, out: Path
) -> None:
    """Write the page that holds the experiments of `plan_paths` against one paper."""
    render("paper.html", out, paper_values(paper, plan_paths, database, configs))


def build_index(reports_dir: Path, plan_paths: Sequence[Path], database: Path, out: Path) -> None:
    """Write the list of all reports; only pages that exist become links."""
    configs = _configs(plan_paths)
    rows = list(_index_rows(plan_paths, reports_dir, database, configs))
    pages = sorted(reports_dir.glob("paper_*.html"))
    papers = [{"file": page.name, "name": page.stem.removeprefix("paper_")} for page in pages]
    render("index.html", out, {"rows": rows, "papers": papers, "title": "Reports"}, charts=False)


def _configs(plan_paths: Sequence[Path]) -> Path:
    """The tree `configs` beside `results`, where every plan lies."""
    for path in plan_paths:
        beside = path.absolute().parent.parent.parent / "configs"
        if beside.is_dir():
            return beside
    return Path("configs")


def _index_rows(
    paths: Sequence[Path], reports_dir: Path, database: Path, configs: Path
) -> Iterator[dict[str, Any]]:
    for path in paths:
        # What another experiment has left behind is no reason to have no index.
        with suppress(ValueError, duckdb.Error):
            yield _index_row(path, reports_dir, database, configs)


def _index_row(path: Path, reports_dir: Path, database: Path, configs: Path) -> dict[str, Any]:
    plan = read_plan(path)
    row: dict[str, Any] = {
        "experiment": plan.experiment,
        "title": plan.title or plan.experiment,
        "question": plan.question,
        "link": f"{plan.experiment}.html"
        if (reports_dir / f"{plan.experiment}.html").is_file()
        else None,
    }
    with open_study(path, database, configs) as study:
        figures = study_figures(study)
        covered = coverage(study)
        row["coverage"] = covered
        row["answer"] = answer(study, figures, report_references(figures), covered)[:2]
    return row
