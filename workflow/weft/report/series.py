"""From a figure's description to the rows it shows: one row per series and x."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scipy.stats import t as student

from weft.analysis.comparison import canonical
from weft.report.source import SIZE, Row, Study
from weft.report.units import key_label, value_label

MAX_SPLIT = 4
MAX_X = 400
_CSV = ("panel", "series", "kind", "x", "y", "low", "high", "n")


@dataclass(frozen=True, slots=True)
class Figure:
    """One entry of `figures:`; `kind` is line, ratio, bar or table."""

    kind: str
    x: str
    y: str
    color: str = "engine"
    row: str | None = None
    published: tuple[str, ...] = ()
    of: str | None = None
    to: str | None = None
    log_x: bool = False
    log_y: bool = False
    title: str | None = None
    where: Mapping[str, object] = field(default_factory=dict)


@dataclass
class FigureData:
    """Rows `panel, series, kind, x, y, low, high, n` in stored units, ready to draw."""

    figure: Figure
    unit: str
    label: str
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def panels(self) -> list[object]:
        """Values of the figure's `row`, in order; `[None]` without one."""
        return list(dict.fromkeys(row["panel"] for row in self.rows)) or [None]

    def csv(self) -> str:
        """The figure's data, values in stored units."""
        text = io.StringIO()
        names = {"x": self.figure.x, "y": f"{self.figure.y} [{self.unit}]"}
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([names.get(name, name) for name in _CSV])
        writer.writerows([row[name] for name in _CSV] for row in self.rows)
        return text.getvalue()


def parse_figures(report: Mapping[str, Any]) -> list[Figure]:
    """The figures of a plan's `report`."""
    figures = []
    for entry in report.get("figures") or []:
        ((kind, fields),) = entry.items()
        known = {k: v for k, v in fields.items() if k in Figure.__slots__ and v is not None}
        known["published"] = references(known.get("published"))
        if known.get("x") == f"workload.{SIZE}":
            known["x"] = SIZE
        figures.append(Figure(kind, **known))
    return figures


def references(value: object) -> tuple[str, ...]:
    """`mfs/table1` or a list of such names as a tuple."""
    if not value:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)  # type: ignore[arg-type]


def default_figures(study: Study) -> list[Figure]:
    """What a report shows when its experiment names no figures."""
    names = [m for m in study.answered if m not in ("wall_s", "cpu_s", "peak_rss_bytes")]
    figures = []
    for name in names[:4]:
        sizes = study.answered[name] > 1
        x = SIZE if sizes else next(iter(study.swept), "engine")
        figures.append(Figure("line", x, name, log_x=sizes, log_y=sizes))
    return figures


def figure_data(study: Study, figure: Figure) -> FigureData:
    """Aggregate what `figure` shows, published values included."""
    metric = study.metrics[figure.y]
    data = FigureData(figure, metric.unit, metric.label)
    names, averaged = _split(study, figure)
    keys = list(dict.fromkeys([k for k in (figure.row, figure.x) if k] + names))
    bands = {_place(row, keys): row for row in study.quantiles(figure.y, keys, figure.where)}
    for row in study.groups(figure.y, keys, figure.where):
        if row[figure.x] is not None:
            data.rows.append(_row(study, figure, names, row, bands.get(_place(row, keys))))
    _thin(data)
    data.rows += published_rows(study, figure)
    data.notes += _notes(data, averaged, bool(bands), confidence(study))
    return data


def _split(study: Study, figure: Figure) -> tuple[list[str], list[str]]:
    """Keys that make the series, and keys that are averaged over."""
    chosen = study.chosen(figure.where)
    shown = [k for k in (figure.x, figure.row) if k]
    names = [k for k in dict.fromkeys(("engine", figure.color)) if k not in shown]
    names = [k for k in names if k in (SIZE, figure.color) or _count(chosen, k) > 1]
    left = [k for k in study.swept if k not in (*shown, *names)]
    if SIZE not in (*shown, *names) and study.answered.get(figure.y, 0) > 1:
        left.append(SIZE)
    averaged = []
    for key in left:
        if key != SIZE and follows(chosen, key, [*shown, *names]):
            continue
        if key == SIZE or _count(chosen, key) > MAX_SPLIT:
            averaged.append(key)
        else:
            names.append(key)
    return names, averaged


def _count(chosen: Sequence[Row], key: str) -> int:
    return len({repr(settings.get(key)) for settings in chosen})


def follows(chosen: Sequence[Row], key: str, others: Sequence[str]) -> bool:
    """Whether `key` has one value for each setting of `others`, as zipped axes have."""
    wide = {(_place(s, others), repr(s.get(key))) for s in chosen}
    return len(wide) == len({place for place, _ in wide})


def _place(row: Mapping[str, Any], keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(repr(canonical(row.get(key))) for key in keys)


def _row(study: Study, figure: Figure, names: Sequence[str], row: Row, band: Row | None) -> Row:
    low, high = interval(row["mean"], row["sd"], row["n"], confidence(study))
    if band and band["n"] > 1:
        low, high = band["low"], band["high"]
    return {
        "panel": row[figure.row] if figure.row else None,
        "series": series_label(names, row),
        "kind": "answer",
        "x": row[figure.x],
        "y": row["mean"],
        "low": low,
        "high": high,
        "n": row["n"],
    }


def interval(
    mean: float, sd: float | None, n: int, level: float = 0.95
) -> tuple[float | None, float | None]:
    """Confidence interval of a mean (Student's t); none for a single value or no spread."""
    if n < 2 or not sd:
        return None, None
    half = float(student.ppf((1 + level) / 2, n - 1)) * sd / n**0.5
    return mean - half, mean + half


def confidence(study: Study) -> float:
    """The confidence that the experiment's report asks for."""
    return float(study.plan.report.get("interval") or 0.95)


def series_label(names: Iterable[str], row: Mapping[str, Any]) -> str:
    """`flow · max min`: numbers with their key, words without."""
    parts = []
    for name in names:
        value = row.get(name)
        if isinstance(value, int | float):
            parts.append(f"{key_label(name)} {value_label(name, value)}")
        elif value is not None:
            parts.append(value_label(name, value))
    return " · ".join(parts) or "all"


def published_rows(study: Study, figure: Figure) -> list[Row]:
    """Published values that belong in `figure`: its metric, its x, settings that were planned."""
    rows = []
    for entry in study.published(overlays(figure)):
        where = entry["coordinates"]
        if entry["metric"] != figure.y or figure.x not in where:
            continue
        if not planned(study, where, but=figure.x) or not agree(figure.where, where):
            continue
        derived = entry["item"].startswith("derived")
        rows.append(
            {
                "panel": _planned_value(study, figure.row, where),
                "series": _published_label(study, figure, entry),
                "kind": "derived" if derived else "published",
                "x": where[figure.x],
                "y": entry["value"],
                "low": None,
                "high": None,
                "n": 1,
            }
        )
    return rows


def overlays(figure: Figure) -> list[str]:
    """The figure's published items, each followed by the curve derived for it, if there is one."""
    names = []
    for reference in figure.published:
        paper, _, item = reference.partition("/")
        names += [reference, f"{paper}/derived_{item}"]
    return names


def planned(study: Study, where: Mapping[str, Any], but: str = "") -> bool:
    """Whether each setting in `where` (but one) is a planned value, if planned at all."""
    return all(
        key == but or _planned_value(study, key, where) is not None
        for key in where
        if key in study.values
    )


def agree(wanted: Mapping[str, object], where: Mapping[str, object]) -> bool:
    """Whether `where` does not contradict `wanted`."""
    return all(canonical(where.get(k, v)) == canonical(v) for k, v in wanted.items())


def _planned_value(study: Study, key: str | None, where: Mapping[str, Any]) -> object:
    wanted = canonical(where.get(key)) if key else None
    values = study.values.get(key, []) if key else []
    return next((v for v in values if canonical(v) == wanted), None)


def _published_label(study: Study, figure: Figure, entry: Row) -> str:
    label: str = entry["series"]
    value = entry["coordinates"].get(figure.color)
    if value is not None and len(study.values.get(figure.color, [])) > 1:
        label += f" · {value_label(figure.color, value)}"
    return label if entry["item"].startswith("derived") else f"{label} · published"


def _thin(data: FigureData) -> None:
    """Keep at most MAX_X evenly spread x values: nobody sees more, and pages stay small."""
    every = sorted({row["x"] for row in data.rows}, key=lambda x: (isinstance(x, str), x))
    if len(every) <= MAX_X:
        return
    kept = {every[i * (len(every) - 1) // (MAX_X - 1)] for i in range(MAX_X)}
    data.rows = [row for row in data.rows if row["x"] in kept]
    data.notes.append(f"{MAX_X} of {len(every):,} values along the x axis are drawn.")


def _notes(data: FigureData, averaged: Sequence[str], bands: bool, level: float) -> list[str]:
    notes = []
    answers = [row for row in data.rows if row["kind"] == "answer"]
    if averaged:
        names = ", ".join(key_label(key).lower() for key in averaged)
        notes.append(f"Each value is a mean over {names}.")
    if bands:
        notes.append("Bands of measurements span the middle half of all repetitions.")
    most = max((row["n"] for row in answers if row["low"] is not None), default=0)
    if most > 1:
        notes.append(
            f"Bands of replicates span the {level:.0%} confidence interval of the mean"
            f" (up to {most:,} values)."
        )
    if any(row["kind"] == "derived" for row in data.rows):
        notes.append("Dashed series are derived from the paper's model; they were not published.")
    return notes
