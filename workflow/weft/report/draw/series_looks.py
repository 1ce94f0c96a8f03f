"""Looks of series: one colour and shape each, and one legend for all panels of a figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from weft.report.data.series_values import SeriesValue
from weft.report.draw.drawing import VegaLite
from weft.report.draw.palette import Palette

#: The parameter that holds what the legend singles out.
FILTER = "series_filter"
#: Widths of a letter of a legend, and of a symbol with the space around it, in pixels.
_LETTER = 6.6
_SYMBOL = 34
#: The size of its letters, and the least on a narrow screen.
_SIZE, _LEAST_SIZE = 12, 9
_MOST_COLUMNS = 6
#: The width of a page where none is known, as in a file, and what an axis with its title takes.
_USUAL = 600
_AXIS = 90
#: The room of the page as an expression. It is known before a chart is laid out: had the legend
#: more rows afterwards, its top would be cut.
PAGE = f"(isFinite(containerSize()[0]) ? containerSize()[0] : {_USUAL})"
#: The width of the smallest letter, and of the longest name that fits any screen beside its symbol.
_LEAST_LETTER = _LETTER * _LEAST_SIZE / _SIZE
_NARROWEST = 30 * _LETTER + _SYMBOL


def filtering(chart: alt.Chart) -> alt.Chart:
    """`chart` with a legend whose entries can be singled out.

    Panels without a legend obey that of the first, which the page passes on.
    """
    legend = alt.selection_point(name=FILTER, fields=["series"], bind="legend")
    filtering: alt.Chart = chart.add_params(legend)
    return filtering


def _series(rows: Sequence[SeriesValue]) -> list[str]:
    rank = {"answer": 0, "published": 1, "measured": 2, "derived": 3}
    ordered = sorted(rows, key=lambda row: rank[row.kind])
    return list(dict.fromkeys(row.series for row in ordered))


@dataclass(frozen=True, slots=True)
class Looks:
    """Colour and shape by series, with one legend for both."""

    names: tuple[str, ...]
    colour: alt.Color
    shape: alt.Shape

    def unlabelled(self) -> Looks:
        """The same looks without a legend, for panels below the first."""
        colour, shape = self.colour.copy(), self.shape.copy()
        return Looks(self.names, colour.legend(None), shape.legend(None))


def encodings(rows: Sequence[SeriesValue], palette: Palette) -> Looks:
    """Colour and shape of every series of `rows`."""
    kinds: dict[str, str] = {}
    for row in rows:  # what joins one of our series has its colour
        kinds.setdefault(row.series, row.kind)
    domain = _series(rows)
    found = palette.looks({name: kinds[name] for name in domain})
    looks = [found[name] for name in domain]
    legend = alt.Legend(**legend_looks(domain), symbolSize=80, symbolOpacity=1)
    colour = alt.Color("series:N", legend=legend).scale(
        domain=domain, range=[look[0] for look in looks]
    )
    shape = alt.Shape("series:N", legend=legend).scale(
        domain=domain, range=[look[1] for look in looks]
    )
    return Looks(tuple(domain), colour, shape)


def letters_room(text: str) -> float:
    """About how many pixels the letters of a text are wide."""
    return len(text) * _LETTER


def series_room(name: str) -> float:
    """The same of an entry of a legend, with its symbol."""
    return letters_room(name) + _SYMBOL


def legend_looks(names: Sequence[str], axis: float = _AXIS) -> VegaLite:
    """A legend above the chart, with as many entries side by side as fit.

    `axis` is what the y axis with its labels and its title takes, in pixels.
    """
    wide = max(map(series_room, names), default=_SYMBOL)
    most = min(len(names), _MOST_COLUMNS) or 1
    columns = alt.expr(f"clamp(floor(({PAGE} - {axis:.0f} + {_SYMBOL}) / {wide:.0f}), 1, {most})")
    room = alt.expr(f"width - {_SYMBOL}")
    # Letters shrink on a narrow screen before names are broken.
    size = alt.expr(
        f"clamp({_SIZE} * (width - {_SYMBOL}) / {wide - _SYMBOL or 1:.0f}, {_LEAST_SIZE}, {_SIZE})"
    )
    looks: VegaLite = {"title": None, "orient": "top", "columns": columns, "labelLimit": room}
    looks["labelFontSize"] = size
    if wide > _NARROWEST:
        looks["labelExpr"] = _in_lines(f"({PAGE} - {axis:.0f} - {_SYMBOL})")
    return looks


def _in_lines(room: str) -> str:
    """A name that the smallest letters do not bring into one line as several, broken between words.

    The `room` must be known before a chart is laid out, like the number of rows.
    """
    letters = f"floor({room} / {_LEAST_LETTER:.2f})"
    lines = (
        f"replace(replace(datum.label, regexp('(.{{1,' + {letters} + '}})( +|$)', 'g'), '$1\\n'),"
        " regexp('\\n$'), '')"
    )
    return f"length(datum.label) <= {letters} ? datum.label : split({lines}, '\\n')"


def squares(
    names: Sequence[str], colours: Sequence[str], labelled: bool = True, axis: float = _AXIS
) -> alt.Color:
    """The colours of series that fill an area, with squares as their legend."""
    looks = legend_looks(names, axis)
    looks |= {"symbolOpacity": 1, "symbolType": "square"}
    legend = alt.Legend(**looks) if labelled else None
    return alt.Color("series:N", legend=legend).scale(domain=list(names), range=list(colours))
