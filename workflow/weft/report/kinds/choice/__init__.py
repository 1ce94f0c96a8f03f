"""Maps of the best choice, with disagreements marked, and of what a choice costs."""

from __future__ import annotations

from weft.config.model.figures import BestChoice
from weft.report.data.source import Study
from weft.report.data.units import key_label
from weft.report.draw.drawing import Chart
from weft.report.draw.kind import Kind
from weft.report.draw.palette import Palette
from weft.report.kinds.choice.charts import choice_charts
from weft.report.kinds.choice.finding import best_choices
from weft.report.kinds.choice.rows import ChoiceData, choice_data


def _title(study: Study, figure: BestChoice) -> str:
    metric = study.metrics[figure.value].label.lower()
    among = key_label(figure.among).lower()
    if figure.to:
        truth = ", ".join(str(value) for value in figure.to.values())
        return f"What the choice of {among} costs if {truth} is true: {metric}"
    return f"Best {among}: {metric}"


def _charts(data: ChoiceData, _: Palette) -> list[Chart]:
    return choice_charts(data)


KIND = Kind(
    BestChoice,
    choice_data,
    _title,
    _charts,
    panel_notes=lambda data: data.panel_notes,
    finding=best_choices,
)
