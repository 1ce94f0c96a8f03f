"""The index of all reports: what each experiment shows, from what, and how long it takes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb

from weft.analysis.claims import HOLDS, Judgement
from weft.config.model.figures import Figure
from weft.report.answers import answer
from weft.report.compare.listed import listed
from weft.report.data.figures import default_figures, parse_figures
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
    reports: Path, plan_paths: Sequence[Path], database: Path, configs: Path
) -> dict[str, Any]:
    """Everything the template of the index shows; only pages that exist become links."""
    rows = []
    for path in plan_paths:
        # What another experiment has left behind is no reason to have no index.
        with suppress(ValueError, duckdb.Error), open_study(path, database, configs) as study:
            rows.append(_row(study, reports))
    papers = [_paper(name, rows, reports, database, configs) for name in _papers(rows, reports)]
    keys = {"engine": "engines", "topology": "topologies", "paper": "papers"}
    choices = {name: sorted({v for row in rows for v in row[key]}) for name, key in keys.items()}
    compared = listed(reports, plan_paths, database, configs)
    return {"title": "Reports", "rows": rows, "papers": papers, "choices": choices,
            "comparisons": compared}  # fmt: skip


def _row(study: Study, reports: Path) -> Row:
    plan = study.plan
    figures = [*parse_figures(plan.report)] or [*default_figures(study)]
    covered = coverage(study)
    references = report_references(figures)
    return {
        "experiment": plan.experiment,
        "title": plan.title or plan.experiment,
        "question": plan.question,
        "link": _page(reports, plan.experiment),
        "coverage": covered,
        "answer": answer(study, figures, references, covered)[:2],
        "picture": _picture(study, figures),
        "engines": list(study.engines),
        "topologies": [str(value) for value in study.values.get(_KIND, ()) if value is not None],
        "papers": sorted({name.partition("/")[0] for name in references}),
        **_times(study),
    }


def _page(reports: Path, name: str) -> str | None:
    return f"{name}.html" if (reports / f"{name}.html").is_file() else None


def _picture(study: Study, figures: Sequence[Figure]) -> str:
    """The first figure that has a chart."""
    for number, figure in enumerate(figures):
        panels = figure_drawing(study, figure, f"picture-{number}", Palette()).panels
        if panels:
            return picture(panels[0].spec)
    return ""


def _times(study: Study) -> Row:
    """The day of the last run, and what all points took together."""
    (row,) = study.query(
        "SELECT max(started_at) AS ran, sum(wall_s) AS took FROM final_runs WHERE wall_s > 0"
    )
    day = str(row["ran"])[:10] if row["ran"] else ""
    return {"ran": day, "took": quantity(row["took"], "s") if row["took"] else ""}


def _papers(rows: Sequence[Row], reports: Path) -> list[str]:
    pages = {page.stem.removeprefix("paper_") for page in reports.glob("paper_*.html")}
    return sorted(pages | {name for row in rows for name in row["papers"]})


def _paper(name: str, rows: Sequence[Row], reports: Path, database: Path, configs: Path) -> Row:
    path = configs / "paper" / f"{name}.yaml"
    link = _page(reports, f"paper_{name}")
    if not path.is_file():
        return {"link": link, "title": name, "year": "", "computing": {}, "holds": 0, "claims": 0}
    about = described(path)
    mine = [row["experiment"] for row in rows if name in row["papers"]]
    judged: list[Judgement] = []
    with suppress(ValueError, duckdb.Error):
        judged = judgements(path, about, mine, database)
    return {
        "link": link,
        "title": about["title"],
        "year": str(about.get("year") or ""),
        "computing": about.get("computing") or {},
        "short": f"snakemake reports/paper_{name}.html --config effort=quick",
        "holds": sum(each.verdict == HOLDS for each in judged),
        "claims": len(judged),
    }
