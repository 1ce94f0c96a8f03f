"""The page of one paper: every published number beside ours."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import duckdb
import yaml

from weft.analysis.claims import Judgement, judge, read_claims
from weft.analysis.comparison import canonical
from weft.analysis.detected import create_detected
from weft.analysis.paper_tables import filled, read_tables
from weft.analysis.wrong_answers import scrutinise
from weft.config.check.paper_numbers import read_paper_numbers
from weft.config.language.yaml_loader import LOADER
from weft.database import reading
from weft.database.narrow import narrow
from weft.files.layout import RELATIVE
from weft.plan.variant import AT, base_name
from weft.report.data.aggregates import MeanValue, PublishedValue, Settings
from weft.report.data.axes import SIZE
from weft.report.data.overlays import kind_of, overlays, planned
from weft.report.data.references import varies
from weft.report.data.series_names import MAX_SPLIT
from weft.report.data.settings import VARIANT, follows
from weft.report.data.source import Row, Study, open_study
from weft.report.data.titles import distinct
from weft.report.data.units import quantity, series_label, settings_label
from weft.report.draw.palette import Palette
from weft.report.html.drawings import figure_drawing, figure_titles
from weft.report.pages.paper_answer import answered, read_answer, summary
from weft.report.record.network_facts import network_table
from weft.tables.metrics import COSTS


def paper_values(
    paper: str, plan_paths: Sequence[Path], database: Path, configs: Path
) -> dict[str, object]:
    """Everything the template of a paper shows.

    Raises ValueError when `configs/paper/<paper>.yaml` does not exist.
    """
    name, paper = paper, base_name(paper)
    path = configs / "paper" / f"{paper}.yaml"
    about = described(path)
    items: dict[str, Row] = {
        name: {"name": name, "kind": kind_of(name), "rows": [], "others": []}
        | {"drawings": [], "origins": []}
        | dict(fields)
        for name, fields in about["items"].items()
    }
    palette = Palette()
    experiments: list[Row] = []
    for plan_path in plan_paths:
        with open_study(plan_path, database, configs) as study:
            named = {"name": study.plan.experiment, "title": study.plan.title}
            experiments.append({**named, "networks": network_table(study)})
            _add_experiment(study, paper, items, palette)
    _distinguish(list(items.values()))
    names = [each["name"] for each in experiments]
    with reading(database) as connection:
        judged = _judged(path, about, names, connection)
        tables = read_tables(about.get("tables") or {}, about["items"], str(path))
        filled_tables = filled(tables, connection)
        scrutinies = scrutinise(judged, about.get("views") or {}, connection)
    claims = [each.claim for each in judged]
    return {
        "title": about["title"],
        "citation": about["citation"],
        "question": about["question"],
        "variant": name.partition(AT)[2],
        "series": about["series"],
        "notes": about["notes"],
        "items": _sections(items),
        "answer": [
            *_comparisons(
                items.values(), about.get("own_series") or (), about.get("agreement", AGREEMENT)
            ),
            *answered(judged, read_answer(about.get("answer") or (), claims, str(path))),
            *summary(judged),
        ],
        "claims": judged,
        "scrutinies": scrutinies,
        "tables": filled_tables,
        "printed": read_paper_numbers(path.parent, paper),
        "experiments": experiments,
        "computing": about.get("computing") or {},
        "short": ""
        if AT in name
        else f"snakemake reports/paper_{paper}.html --config effort=quick",
        "command": f"snakemake {RELATIVE.reports.paper(name)}",
    }


def described(path: Path) -> Row:
    """What the file of a paper says; raises ValueError where there is none."""
    if not path.is_file():
        raise ValueError(f"{path} does not exist: a paper's report needs its description")
    return cast("Row", yaml.load(path.read_text(), Loader=LOADER))


def judgements(
    path: Path, about: Row, experiments: Sequence[str], database: Path
) -> list[Judgement]:
    """The claims of a paper, judged by the answers of `experiments`."""
    with reading(database) as connection:
        return _judged(path, about, experiments, connection)


def _judged(
    path: Path, about: Row, experiments: Sequence[str], connection: duckdb.DuckDBPyConnection
) -> list[Judgement]:
    """The same, by a connection that sees `experiments` alone from now on."""
    claims = read_claims(about.get("claims") or {}, str(path))
    narrow(connection, experiments)
    bases = [base_name(name) for name in experiments]
    create_detected(connection, about.get("detected") or (), bases, str(path))
    return judge(claims, about.get("views") or {}, connection)


def _distinguish(items: Sequence[Row]) -> None:
    """Figures of several experiments that have one title name their experiment, too."""
    drawings = [drawing for item in items for drawing in item["drawings"]]
    origins = [(origin,) for item in items for origin in item["origins"]]
    titles = distinct([drawing.title for drawing in drawings], origins)
    named = iter(titles)
    for item in items:
        item["drawings"] = [replace(each, title=next(named)) for each in item["drawings"]]


def _sections(items: Mapping[str, Row]) -> list[Row]:
    """Items of their own; what was derived or measured for an item stands in its section."""
    found = []
    for name, item in items.items():
        owner = items.get(name.partition("_")[2])
        if item["kind"] != "published" and owner is not None:
            owner["others"].append(item)
        else:
            found.append(item)
    return found


def _add_experiment(study: Study, paper: str, items: Mapping[str, Row], palette: Palette) -> None:
    figures = study.plan.report.figures
    titles = figure_titles(study, figures)
    for name, item in items.items():
        reference = f"{paper}/{name}"
        mine = (f for f in zip(figures, titles, strict=True) if f[0].overlaid[:1] == (reference,))
        for number, (figure, title) in enumerate(mine, 1):
            identifier = f"{study.plan.experiment}-{name}-{number}".replace("_", "-")
            item["drawings"].append(figure_drawing(study, figure, identifier, title, palette))
            item["origins"].append(study.plan.experiment)
        if any(reference in overlays(f) for f in figures):
            item["rows"] += _beside(study, reference)


# How far apart, relatively, two values agree that no seed varies; a paper may set `agreement`.
AGREEMENT = 1e-3
#: In the place of settings, for a published number that the paper has once.
NO_PLACE = "–"


def _beside(study: Study, reference: str) -> list[Row]:
    """Published rows of one item with every series of ours at the same coordinates."""
    entries = [e for e in study.published([reference]) if planned(study, e.place)]
    rows = []
    for metric in dict.fromkeys(entry.metric for entry in entries):
        mine = [entry for entry in entries if entry.metric == metric]
        named = {k for e in mine for k in e.place if k == SIZE or k in study.values}
        keys = sorted(named - {"engine", VARIANT})
        series = ["engine", *([VARIANT] if varies(study, VARIANT) else [])]
        sizes = {e.place.get(SIZE) for e in mine}
        shown = {*study.swept, VARIANT, *((SIZE,) if len(sizes) > 1 else ())}
        left = [k for k in study.swept if k not in keys and len(study.values[k]) <= MAX_SPLIT]
        series += [k for k in left if not follows(study.chosen({}), k, [*series, *keys])]
        found = study.means(metric, [*series, *keys])
        rows += [
            _pair(study, entry, series_label(series, ours.place), ours, shown)
            for entry in sorted(mine, key=_order)
            for ours in found
            if _same_place(entry.place, ours.place, (*series, *keys))
        ]
    return rows


def _same_place(where: Settings, ours: Settings, keys: Sequence[str]) -> bool:
    """Whether both answer the same question; a metric of whole points has no size to compare."""
    known = [k for k in keys if k in where and not (k == SIZE and ours[k] is None)]
    return all(canonical(ours[k]) == canonical(where[k]) for k in known)


def _order(entry: PublishedValue) -> tuple[str, list[tuple[str, str, object]]]:
    where = sorted(entry.place.items())
    return entry.series, [(k, type(v).__name__, v) for k, v in where]


def _pair(
    study: Study, entry: PublishedValue, series: str, ours: MeanValue, shown: Container[str]
) -> Row:
    """One row of the table; the keys in `shown` say where it stands among the others."""
    metric = study.metrics[entry.metric]
    where = [(k, v) for k, v in entry.place.items() if k in shown]
    # What an answer cost depends on the machine: seeds do not explain its distance.
    cost = entry.metric in COSTS
    deviation = None
    if ours.sd and not cost:
        deviation = (entry.value - ours.mean) / ours.sd
    return {
        "experiment": study.plan.experiment,
        "metric": metric.label,
        "where": settings_label(where) or NO_PLACE,
        "published_by": entry.series,
        "published": quantity(entry.value, metric.unit),
        "series": series,
        "ours": quantity(ours.mean, metric.unit),
        "sd": quantity(ours.sd, metric.unit) if ours.sd else "–",
        "n": ours.n,
        "ratio": ours.mean / entry.value if entry.value else None,
        "deviation": deviation,
        "note": entry.note,
        "cost": cost,
    }


def _comparisons(items: Iterable[Row], own: Sequence[str], agreement: float) -> list[str]:
    """How many published numbers of each model that ours stand for were met, and the worst miss.

    Nothing of a paper whose numbers its claims judge.
    """
    rows = [
        row
        for item in items
        if item["kind"] == "published"
        for row in item["rows"]
        if not row["cost"] and row["ratio"] and row["published_by"] in own
    ]
    if own and not rows:
        return ["None of the published numbers has a counterpart in the database yet."]
    return [
        sentence
        for series in own
        if (mine := [row for row in rows if row["published_by"] == series])
        for sentence in _compared(mine, series, agreement)
    ]


def _compared(rows: Sequence[Row], own: str, agreement: float) -> list[str]:
    close = [row for row in rows if _meets(row, agreement)]
    worst = max(rows, key=lambda row: max(row["ratio"], 1 / row["ratio"]))
    place = "" if worst["where"] == NO_PLACE else f" at {worst['where']}"
    return [
        f"{len(close)} of {len(rows)} comparisons with what was published for {own} agree"
        f" (within two standard deviations of our seeds, or {100 * agreement:g} % where seeds do"
        " not matter).",
        f"The farthest is {worst['ours']} ({worst['series']}, {worst['experiment']}) against"
        f" {worst['published']}{place}: a factor of {worst['ratio']:.3f}.",
    ]


def _meets(row: Row, agreement: float) -> bool:
    if row["deviation"] is None:
        return bool(abs(row["ratio"] - 1) <= agreement)
    return bool(abs(row["deviation"]) <= 2)
