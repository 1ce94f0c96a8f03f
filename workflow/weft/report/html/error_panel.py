"""The error panel: how far the engines are from their references."""

from __future__ import annotations

from collections.abc import Sequence

from weft.analysis.comparison import Comparison, canonical
from weft.config.model.figure import Figure, Plotted
from weft.config.model.figures import Line, Ratio
from weft.report.data.axes import SIZE
from weft.report.data.distinguishing_settings import place
from weft.report.data.draws import NOTE as LACKING
from weft.report.data.flagged import note
from weft.report.data.references import named
from weft.report.data.scatter import scatter_text
from weft.report.data.source import Row, Study
from weft.report.data.thinning import NOTE, thinned
from weft.report.data.units import is_logarithmic, quantity, settings_label
from weft.report.draw.drawing import Chart, Drawing, panels
from weft.report.draw.palette import Palette
from weft.report.kinds.ratio.charts import ratio_chart
from weft.report.kinds.ratio.rows import beyond, ratio_csv, ratio_rows


def comparison_row(study: Study, c: Comparison) -> Row:
    """One line of the error panel's table."""
    unit = study.metrics[c.metric].unit
    return {
        "metric": f"{study.metrics[c.metric].label}{' (fit, no prediction)' if c.fitted else ''}",
        "of": c.of,
        "to": c.to,
        "matched": c.matched,
        "coverage": f"{100 * c.coverage:.0f} %",
        "bias": c.geometric_mean,
        "median": c.median_factor,
        "max": c.max_factor,
        "where": settings_label(place(study, c.worst.coordinates)) or "–",
        "worst": f"{quantity(c.worst.of, unit)} against {quantity(c.worst.to, unit)}",
        "scatter": scatter_text(c.worst),
    }


def error_drawings(
    study: Study, figures: Sequence[Figure], found: Sequence[Comparison], palette: Palette
) -> list[Drawing]:
    """One ratio chart per metric, unless the experiment draws that ratio itself."""
    asked = {f.metric for f in figures if isinstance(f, Ratio) and named(study, f)}
    drawings = []
    for number, metric in enumerate(dict.fromkeys(c.metric for c in found), 1):
        mine = [c for c in found if c.metric == metric]
        if metric in asked and len(mine) == 1:
            continue
        figure = next((f for f in figures if f.metric == metric), None)
        identifier = f"error-{number}"
        label = f"{study.metrics[metric].label} divided by its reference"
        charts: list[Chart] = []
        notes: list[str] = []
        if isinstance(figure, Plotted):
            x = _widest(figure.x, mine)
            rows = [row for c in mine for row in ratio_rows(study, x, c)]
            given = figure.log_x if isinstance(figure, Line | Ratio) and x == figure.x else None
            log_x = is_logarithmic(x, given)
            drawn = thinned(rows, log_x)
            charts = [(None, ratio_chart(x, log_x, drawn, palette))] if rows else []
            notes = [*beyond(rows), *note(rows), *([NOTE] if len(drawn) < len(rows) else [])]
        if any(ratio.lacking for c in mine for ratio in c.shown):
            notes.append(LACKING)
        shown = panels(identifier, charts)
        drawings.append(Drawing(identifier, label, shown, notes=notes, csv=ratio_csv(study, mine)))
    return drawings


def _widest(x: str, found: Sequence[Comparison]) -> str:
    """The message size where ratios have more of these than values of the figure's axis `x`, so
    that they do not lie on one another."""
    counts = {
        key: len({repr(canonical(r.coordinates.get(key))) for c in found for r in c.shown})
        for key in (x, SIZE)
    }
    return max(counts, key=lambda key: counts[key])
