"""Building pages: one per experiment, one per paper, and the index of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from weft.files.layout import ExperimentFolder, Layout, Reports
from weft.report.answers import answer
from weft.report.answers.question import PageSources
from weft.report.compare.section import side_by_side
from weft.report.data.fidelity import left_out
from weft.report.data.figures import study_figures
from weft.report.data.references import (
    along_variants,
    comparisons,
    metric_wheres,
    report_metrics,
    report_references,
)
from weft.report.data.source import Study, open_study
from weft.report.draw.palette import Palette
from weft.report.expected import ExpectationOutcome, judged_expectations, stated_notes
from weft.report.html.drawings import figure_drawings
from weft.report.html.error_panel import comparison_row, error_drawings
from weft.report.html.render import render
from weft.report.pages.index import index_values
from weft.report.pages.paper import paper_values
from weft.report.record.histories import left_files
from weft.report.record.jobs import binding_notices, job_history
from weft.report.record.measured_on import measured_on
from weft.report.record.network_facts import network_table
from weft.report.record.outcome import costs, coverage, failures, skips
from weft.report.record.program_notes import program_notes
from weft.report.record.provenance import provenance
from weft.report.record.rerun_command import rerun_command
from weft.report.record.variant import variant_note


def build_report(
    plan_path: Path, database: Path, configs: Path, out: Path, made_at: datetime | None = None
) -> None:
    """Write the report of one experiment to `out`; its foot shows `made_at`, now by default."""
    with open_study(plan_path, database, configs) as study:
        values = report_values(study, out)
        values["side_by_side"] = side_by_side(study, database, configs)
        render("report.html", out, values, made_at=made_at)


def report_values(study: Study, out: Path) -> dict[str, object]:
    """Everything the template of a report at `out` shows."""
    figures = study_figures(study)
    references = report_references(figures)
    palette = Palette()
    covered = coverage(study)
    drawings = figure_drawings(study, figures, palette)
    found = answer(study, figures, references, covered)
    compared = [
        c
        for m in report_metrics(study, figures)
        for c in comparisons(
            study,
            m,
            references,
            metric_wheres(figures, m),
            variants_are_places=along_variants(figures, m),
        )
    ]
    failed, failed_count = failures(study)
    history = job_history(study)
    return {
        "title": study.plan.title or study.plan.experiment,
        "experiment": study.plan.experiment,
        "question": study.plan.question,
        "variant": variant_note(study),
        "answer": found,
        "expectations": judged_expectations(PageSources(study, figures, references)),
        "stated": stated_notes(study),
        # The figure that shows the verdict stands beside it.
        "shown": drawings[found.figure] if drawings else None,
        "more_figures": [*drawings[: found.figure], *drawings[found.figure + 1 :]],
        "networks": network_table(study),
        "left_out": [note.caveat for note in left_out(study)],
        "coverage": covered,
        "histories": left_files(study, out, "history"),
        "traces": left_files(study, out, "trace"),
        "comparisons": [comparison_row(study, c) for c in compared],
        "errors": error_drawings(study, figures, compared, palette),
        "costs": costs(study),
        "failures": failed,
        "failed_count": failed_count,
        "skips": skips(study),
        "jobs": history,
        "notices": binding_notices(study),
        "program_notes": program_notes(study),
        "measured": measured_on(study),
        "provenance": provenance(study),
        "command": rerun_command(study),
    }


def expectations_of(plan_path: Path, database: Path, configs: Path) -> list[ExpectationOutcome]:
    """What the page of an experiment says of what was expected; nothing without expectations."""
    with open_study(plan_path, database, configs) as study:
        if not study.plan.report.expect:
            return []
        figures = study_figures(study)
        return judged_expectations(PageSources(study, figures, report_references(figures)))


def build_paper(
    paper: str,
    plan_paths: Sequence[Path],
    database: Path,
    configs: Path,
    out: Path,
    made_at: datetime | None = None,
) -> None:
    """Write the page that holds the experiments of `plan_paths` against one paper.

    Its foot shows the moment `made_at`; now by default.
    """
    render("paper.html", out, paper_values(paper, plan_paths, database, configs), made_at=made_at)


def build_index(
    reports_dir: Path,
    plan_paths: Sequence[Path],
    database: Path,
    out: Path,
    broken: Mapping[str, str] | None = None,
) -> None:
    """Write the list of all reports; only pages that exist become links.

    `broken` are experiments whose files have mistakes, each with the first of them.
    """
    values = index_values(Reports(reports_dir), plan_paths, database, _configs(plan_paths))
    values["broken"] = broken or {}
    render("index.html", out, values, charts=False)


def _configs(plan_paths: Sequence[Path]) -> Path:
    """The tree `configs` beside `results`, where every plan lies."""
    for path in plan_paths:
        beside = Layout.of(ExperimentFolder.of_plan(path).results).configs
        if beside.is_dir():
            return beside
    return Path("configs")
