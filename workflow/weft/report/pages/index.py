"""The index of all reports: what each experiment shows, from what, and how long it takes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import duckdb

from weft.analysis.claims import ClaimVerdict, Judgement
from weft.config.model.figure import Figure
from weft.files.layout import Reports
from weft.report.answers import answer
from weft.report.compare.listed import listed
from weft.report.data.figures import study_figures
from weft.report.data.references import report_references
from weft.report.data.source import Row, Study, open_study
from weft.report.data.units import quantity
from weft.report.draw.palette import Palette
from weft.report.draw.thumbnails import picture
from weft.report.html.drawings import figure_drawing
from weft.report.pages.paper import described, judgements
from weft.report.record.outcome import coverage

_KIND = "topology.kind"


def index_values(
    reports: Reports, plan_paths: Sequence[Path], database: Path, configs: Path
) -> dict[str, object]:
    """Everything the template of the index shows; only pages that exist become links."""
    rows = []
    for path in plan_paths:
        # Damaged results of one experiment do not prevent the index.
        with (
            suppress(ValueError, OSError, duckdb.Error),
            open_study(path, database, configs) as study,
        ):
            rows.append(_row(study, reports))
    papers = [_paper(name, rows, reports, database, configs) for name in _papers(rows, reports)]
    keys = {"engine": "engines", "topology": "topologies", "paper": "papers"}
    choices = {name: sorted({v for row in rows for v in row[key]}) for name, key in keys.items()}
    compared = listed(reports, plan_paths, database, configs)
    return {"title": "Reports", "rows": rows, "papers": papers, "choices": choices,
            "comparisons": compared}  # fmt: skip


def _row(study: Study, reports: Reports) -> Row:
    plan = study.plan
    figures = study_figures(study)
    covered = coverage(study)
    references = report_references(figures)
    return {
        "experiment": plan.experiment,
        "title": plan.title or plan.experiment,
        "question": plan.question,
        "link": _page(reports.page(plan.experiment)),
        "coverage": covered,
        "answer": answer(study, figures, references, covered).sentences[:2],
        "picture": _picture(study, figures),
        "engines": list(study.engines),
        "topologies": [str(value) for value in study.values.get(_KIND, ()) if value is not None],
        "papers": sorted({name.partition("/")[0] for name in references}),
        **_times(study),
    }


def _page(page: Path) -> str | None:
    return page.name if page.is_file() else None


def _picture(study: Study, figures: Sequence[Figure]) -> str:
    """The first figure that has a chart."""
    for number, figure in enumerate(figures):
        drawing = figure_drawing(study, figure, f"picture-{number}", "", Palette())
        if drawing.panels:
            return picture(drawing.panels[0].spec)
    return ""


def _times(study: Study) -> Row:
    """The day of the last run, and what all points took together."""
    (row,) = study.query(
        "SELECT max(started_at) AS ran, sum(wall_s) AS took FROM final_runs WHERE wall_s > 0"
    )
    day = str(row["ran"])[:10] if row["ran"] else ""
    return {"ran": day, "took": quantity(row["took"], "s") if row["took"] else ""}


def _papers(rows: Sequence[Row], reports: Reports) -> list[str]:
    return sorted({*reports.papers()} | {name for row in rows for name in row["papers"]})


def _paper(name: str, rows: Sequence[Row], reports: Reports, database: Path, configs: Path) -> Row:
    path = configs / "paper" / f"{name}.yaml"
    link = _page(reports.paper(name))
    if not path.is_file():
        return {
            "link": link,
            "title": name,
            "year": "",
            "computing": {},
            "reproduced": 0,
            "claims": 0,
        }
    about = described(path)
    mine = [row["experiment"] for row in rows if name in row["papers"]]
    judged: list[Judgement] = []
    with suppress(ValueError, OSError, duckdb.Error):
        judged = [each for each in judgements(path, about, mine, database) if not each.claim.ours]
    return {
        "link": link,
        "title": about["title"],
        "year": str(about.get("year") or ""),
        "computing": about.get("computing") or {},
        "short": f"snakemake reports/paper_{name}.html --config effort=quick",
        "reproduced": sum(each.verdict == ClaimVerdict.REPRODUCED for each in judged),
        "claims": len(judged),
    }
