"""The page of a comparison: answer, figures, changes, differences and cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from weft.config.model.figures import Bar, Curves
from weft.files.layout import RELATIVE
from weft.report.compare.answer import (
    Names,
    change_text,
    names,
    place_text,
    scaled_pair,
    sentences,
)
from weft.report.compare.changes import Compared, Pair, compared
from weft.report.compare.differences import facts_differences, settings_differences
from weft.report.compare.new_fits import new_fit_sentences
from weft.report.curves.charts import charts
from weft.report.curves.rows import figure_data
from weft.report.data.axes import SIZE
from weft.report.data.csv_text import csv_text
from weft.report.data.figures import metric_figure
from weft.report.data.intervals import confidence
from weft.report.data.metrics import Metrics, leading
from weft.report.data.source import Row, Study, open_study
from weft.report.draw.drawing import Drawing, panels
from weft.report.draw.palette import Palette
from weft.report.html.drawings import title
from weft.report.html.render import render
from weft.report.record.network_facts import networks_side_by_side
from weft.report.record.outcome import costs

MAX_CHANGES = 100


def build_comparison(
    plan_paths: tuple[Path, Path], database: Path, configs: Path, out: Path
) -> None:
    """Write the page that holds two experiments side by side."""
    first, second = plan_paths
    with open_study(first, database, configs) as a, open_study(second, database, configs) as b:
        found = comparison_values(a, b)
        called = found["names"]
        networks = networks_side_by_side({called["a"]: a, called["b"]: b})
        values = {"title": found["title"], "found": found, "networks": networks}
        render("compare.html", out, values)


def comparison_values(a: Study, b: Study, prefix: str = "figure") -> Row:
    """Everything that a comparison shows; names of its figures start with `prefix`."""
    found = compared(a, b)
    called = names(a.plan.experiment, b.plan.experiment)
    differing = settings_differences(a, b)
    return {
        "title": f"{a.plan.experiment} and {b.plan.experiment} side by side",
        "experiments": [a.plan.experiment, b.plan.experiment],
        "names": asdict(called),
        "question": a.plan.question if a.plan.question == b.plan.question else "",
        "answer": sentences(found, differing, a.metrics, called, new_fit_sentences(a, b, found)),
        "drawings": drawings(a, b, called, prefix),
        "changes": [_row(pair, found, a.metrics) for pair in found.changes[:MAX_CHANGES]],
        "left": max(0, len(found.changes) - MAX_CHANGES),
        "csv": comparison_csv(found, called),
        "confidence": f"{confidence(a):.0%}",
        "settings": differing,
        "facts": facts_differences(a, b),
        "costs": [
            {"of": name, **row}
            for name, study in ((called.a, a), (called.b, b))
            for row in costs(study)
        ],
        "command": f"snakemake {RELATIVE.reports.comparison(a.plan.experiment, b.plan.experiment)}",
    }


def drawings(a: Study, b: Study, called: Names, prefix: str) -> list[Drawing]:
    """A figure per leading metric that both have, with the series of both."""
    palette = Palette()
    shared = leading(name for name in a.answered if name in b.answered)
    figures = [_figure(a, metric) for metric in shared]
    return [
        _drawing(a, b, figure, f"{prefix}-{i}", palette, called)
        for i, figure in enumerate(figures, 1)
    ]


def _figure(study: Study, metric: str) -> Curves:
    """The experiment's own line or bars of `metric`, else the default, without published values."""
    figures = [*study.plan.report.figures, metric_figure(study, metric)]
    usual = [f for f in figures if isinstance(f, Curves)]
    found = next((f for f in usual if f.y == metric), Bar(x="engine", y=metric))
    return found.model_copy(update={"published": None, "title": None})


def _drawing(
    a: Study, b: Study, figure: Curves, identifier: str, palette: Palette, called: Names
) -> Drawing:
    data, other = figure_data(a, figure), figure_data(b, figure)
    notes = list(dict.fromkeys([*data.about, *other.about]))
    if data.rows and data.rows == other.rows:
        notes.append(f"{called.a} and {called.b} coincide.")
    alone = len({row.series for row in (*data.rows, *other.rows)}) == 1
    both = [
        replace(row, series=name if alone else f"{row.series} · {name}")
        for rows, name in ((data.rows, called.a), (other.rows, called.b))
        for row in rows
    ]
    shown = replace(data, rows=both)
    found = panels(identifier, charts(shown, palette) if both else [])
    notes += shown.thinning
    return Drawing(identifier, title(a, figure), found, notes=notes, csv=shown.csv())


def _row(pair: Pair, found: Compared, metrics: Metrics) -> Row:
    metric = metrics[pair.metric]
    a, b = scaled_pair(pair, metric.unit)
    return {
        "metric": metric.label,
        "where": place_text(pair, found.distinguishing).removeprefix("for "),
        "a": a,
        "b": b,
        "change": change_text(pair.a, pair.b),
        "sense": sense(pair, metric.direction),
    }


def sense(pair: Pair, direction: str) -> str:
    """Whether the second value is better or worse, where one can be."""
    if direction == "neutral":
        return ""
    return "better" if (pair.b.mean < pair.a.mean) == (direction == "lower") else "worse"


def comparison_csv(found: Compared, called: Names) -> str:
    """Every place of either side, values in stored units, the largest change first."""
    keys: Sequence[str] = ("engine", *found.keys, SIZE)
    rows: list[list[object]] = []
    for pair in sorted(found.pairs, key=lambda pair: -pair.size):
        at = [pair.coordinates[key] for key in keys]
        rows.append([pair.metric, *at, pair.a.mean, pair.b.mean, pair.verdict])
    for entries, name in ((found.only_a, called.a), (found.only_b, called.b)):
        for entry in entries:
            at = [entry.coordinates[key] for key in keys]
            values = [entry.value.mean, ""] if name == called.a else ["", entry.value.mean]
            rows.append([entry.metric, *at, *values, f"only {name}"])
    return csv_text(["metric", *keys, called.a, called.b, "verdict"], rows)
