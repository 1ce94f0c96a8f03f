"""The question what reaches a share of the best value, or of what a link carries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from weft.config.model.figure import Figure
from weft.config.model.figures import Curves, Ratio
from weft.report.answers.along.question import AlongAsk
from weft.report.answers.series_of_figure import like_figure
from weft.report.data.asked_metrics import level_metric, question_words
from weft.report.data.axes import LOAD
from weft.report.data.source import Study

_LINK = "network.bandwidth_bytes_per_s"


def level_asks(study: Study, figures: Sequence[Figure]) -> list[AlongAsk]:
    """From where on along the axis of its figure a metric reaches the level that the question
    names; nothing where it names none, or over loads, at which networks saturate."""
    level, metric = question_words(study).level, level_metric(study)
    drawn = (f for f in figures if isinstance(f, Curves) and not isinstance(f, Ratio))
    figure = next((f for f in drawn if f.y == metric), None)
    if level is None or metric is None or figure is None or figure.x == LOAD:
        return []
    ask = like_figure(study, AlongAsk, metric, figure)
    rates = {rate for each in study.chosen(figure.where) if (rate := each.get(_LINK)) is not None}
    if level.is_of_link and study.metrics[metric].unit == "B/s" and len(rates) == 1:
        return [replace(ask, at_least=level.share * rates.pop(), of_link=level.share)]
    return [replace(ask, within=1 - level.share)]
