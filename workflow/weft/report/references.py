"""Which series is held against which: the machine, published numbers, or the first engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from weft.analysis.comparison import Answer, Comparison, compare
from weft.report.series import Figure, planned, series_label
from weft.report.source import NOWHERE, SIZE, Study, Where

HARDWARE = "hardware"


def engine_series(
    study: Study, metric: str, where: Where = NOWHERE, also: Iterable[str] = ()
) -> dict[str, list[Answer]]:
    """Means over replicates by series; engine options that vary make series of their own."""
    options = [key for key in study.swept if key.startswith("options.")]
    places = [key for key in dict.fromkeys((*study.swept, *also)) if key not in options]
    places.append(SIZE)
    found: dict[str, list[Answer]] = {}
    rows = study.groups(metric, ["engine", *options, *places], where)
    rows.sort(key=lambda row: study.engines.index(row["engine"]))
    for row in rows:
        here = {key: row[key] for key in places if row[key] is not None}
        label = series_label(["engine", *options], row)
        found.setdefault(label, []).append(Answer(here, row["mean"]))
    return found


def varies(study: Study, key: str) -> bool:
    """Whether the plan has several values of `key`."""
    return len(study.values.get(key, ())) > 1


def joined(published: Mapping[str, Sequence[Answer]]) -> list[str]:
    """Keys that published values must be joined on."""
    keys = {key for found in published.values() for answer in found for key in answer.coordinates}
    return sorted(keys)


def published_series(
    study: Study, metric: str, references: Sequence[str]
) -> dict[str, list[Answer]]:
    """Published values of `metric` that this experiment could answer, by series."""
    found: dict[str, list[Answer]] = {}
    for entry in study.published(references):
        where: Mapping[str, object] = entry["coordinates"]
        known = {key: value for key, value in where.items() if varies(study, key)}
        derived = entry["item"].startswith("derived")
        if entry["metric"] == metric and not derived and planned(study, where):
            found.setdefault(entry["series"], []).append(Answer(known, entry["value"]))
    return found


def comparisons(study: Study, metric: str, references: Sequence[str]) -> list[Comparison]:
    """Every series against the machine and against published numbers, else the first engine."""
    published = published_series(study, metric, references)
    ours = engine_series(study, metric, also=joined(published))
    measured = {k: v for k, v in ours.items() if k.split(" · ")[0] == HARDWARE}
    predicted = {k: v for k, v in ours.items() if k not in measured}
    found = [compare(metric, of, to) for of in predicted.items() for to in measured.items()]
    found += [
        compare(metric, of, (f"published {name}", answers))
        for of in ours.items()
        for name, answers in published.items()
    ]
    if not found and len(ours) > 1:
        first, *others = ours.items()
        found = [compare(metric, of, first) for of in others]
    return [comparison for comparison in found if comparison.matched]


def named(study: Study, figure: Figure) -> list[Comparison]:
    """The comparisons that a `ratio` figure asks for by its `of` and `to`."""
    names = figure.published or ((figure.to,) if figure.to and "/" in figure.to else ())
    found = published_series(study, figure.y, names)
    ours = engine_series(study, figure.y, figure.where, joined(found))
    of = [item for item in ours.items() if _is(item[0], figure.of)]
    to = [item for item in ours.items() if _is(item[0], figure.to)]
    to = to or [(f"published {name}", answers) for name, answers in found.items()]
    pairs = [(a, b) for a in of for b in to if a[0] != b[0]]
    return [c for c in (compare(figure.y, a, b) for a, b in pairs) if c.matched]


def _is(label: str, name: str | None) -> bool:
    return name is not None and name.replace("_", " ") in (label, label.split(" · ")[0])


def report_metrics(study: Study, figures: Sequence[Figure]) -> list[str]:
    """Metrics the page is about: those of its figures, else whatever was answered."""
    asked = [figure.y for figure in figures if figure.y in study.answered]
    cost = {"wall_s", "cpu_s", "peak_rss_bytes"}
    names = [name for name in dict.fromkeys(asked) if name not in cost]
    return names or [name for name in study.answered if name not in cost][:4]


def report_references(figures: Sequence[Figure]) -> list[str]:
    """All published items that the figures overlay."""
    return list(dict.fromkeys(name for figure in figures for name in figure.published))
