"""Which axes of lines and bars are logarithmic: as the figure says, else by what they show."""

from __future__ import annotations

from collections.abc import Sequence

from weft.config.model.figures import Bar, Curves, Line
from weft.report.data.series_values import SeriesValue
from weft.report.data.units import is_logarithmic

#: A point that is lower than this share of an axis lies on its foot.
_LOWEST_POINT = 0.05


def log_x(figure: Curves) -> bool:
    """Whether the x axis is logarithmic: unless the figure says so, only lines over bytes are."""
    return isinstance(figure, Line) and is_logarithmic(figure.x, figure.log_x)


def log_y(figure: Curves, rows: Sequence[SeriesValue]) -> bool:
    """Whether the y axis is: unless the figure says so, only that over a logarithmic x axis, if
    small values could not be told from zero."""
    if not isinstance(figure, Line):
        return isinstance(figure, Bar) and figure.log_y
    if figure.log_y is not None:
        return figure.log_y
    heights = [row.y for row in rows]
    return log_x(figure) and bool(heights) and 0 < min(heights) < _LOWEST_POINT * max(heights)
