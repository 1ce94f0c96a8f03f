"""Values that figures, questions, expectations and variants choose, in the units of points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from weft.config.language.quantities import in_si
from weft.config.model.answer import AnswerRequest
from weft.config.model.expectation import Expectation
from weft.config.model.experiment import Experiment
from weft.config.model.figure import Choice, Figure, Value
from weft.config.model.placed import Placed
from weft.config.points.column_names import column_names
from weft.config.points.in_units import UNITS

FilteredT = TypeVar("FilteredT", Figure, AnswerRequest, Expectation)


def chosen_in_si(experiment: Experiment) -> Experiment:
    """The experiment, in which a filter on `64 KiB` chooses 65536 bytes."""
    columns = column_names(experiment)
    variants = {
        name: _converted(columns, chosen) for name, chosen in experiment.report.variants.items()
    }
    return replace(
        experiment,
        report=experiment.report.model_copy(update={"variants": variants}),
        figures=tuple(_filtered(columns, each) for each in experiment.figures),
        questions=tuple(_filtered(columns, each) for each in experiment.questions),
        expectations=tuple(_filtered(columns, each) for each in experiment.expectations),
    )


def unit_of(column: str) -> str | None:
    """The unit of a column's numbers; None where its name ends with none."""
    return next((unit for ending, unit in UNITS.items() if column.endswith(ending)), None)


def _filtered(columns: Mapping[str, str], placed: Placed[FilteredT]) -> Placed[FilteredT]:
    chosen = _converted(columns, placed.asked.where)
    return replace(placed, asked=placed.asked.model_copy(update={"where": chosen}))


def _converted(columns: Mapping[str, str], chosen: Mapping[str, Choice]) -> dict[str, Choice]:
    return {
        key: value if unit_of(columns.get(key, key)) is None else _in_si(value)
        for key, value in chosen.items()
    }


def _in_si(value: Choice) -> Choice:
    """Quantities as numbers; what is none stays, and no point has it."""
    if isinstance(value, list):
        return [each if isinstance(each, list) else _number(each) for each in value]
    return _number(value)


def _number(value: Value) -> Value:
    if not isinstance(value, str):
        return value
    try:
        number = in_si(value)
    except ValueError:
        return value
    return int(number) if number == int(number) else float(number)
