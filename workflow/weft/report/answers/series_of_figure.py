"""The question that the axis and the series of a figure ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from weft.config.model.figures import Curves
from weft.report.answers.question import SeriesAsk
from weft.report.data.axes import SIZE
from weft.report.data.series_names import split
from weft.report.data.source import Study

SeriesAskT = TypeVar("SeriesAskT", bound=SeriesAsk)


def like_figure(
    study: Study, kind: Callable[..., SeriesAskT], metric: str, figure: Curves | None
) -> SeriesAskT:
    """A question about `metric` along the axis, and among the series, of `figure`; without one
    along the sizes, or along the first swept key."""
    if figure is None:
        sizes = study.answered.get(metric, 0) > 1
        return kind(metric, SIZE if sizes else next(iter(study.swept), None))
    names = tuple(k for k in split(study, figure)[0].names if k not in ("engine", figure.x))
    each = (figure.row,) if figure.row and figure.row != "engine" else ()
    return kind(metric, figure.x, names, each, (figure.where,))
