"""Figures of side tables: a point whose table was not asked for would leave them empty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from weft.config.check.where_filters import either, same
from weft.config.language.errors import Problem
from weft.config.model.experiment import POINT_GROUPS, Experiment
from weft.config.model.figure import Figure
from weft.config.model.placed import Placed
from weft.config.points.column_names import column_names
from weft.config.points.questions import Question
from weft.files.dotted import dotted


def table_problems(experiment: Experiment, questions: Iterable[Question]) -> Iterator[Problem]:
    """Tables that a figure shows and no option asks for; `questions` are those of the plan.

    Only points that the figure's `where` lets through count, of engines that fill the table.
    """
    shown = [figure for figure in experiment.figures if figure.asked.tables]
    asked = list(questions) if shown else []
    for placed in shown:
        for table in placed.asked.tables:
            yield from _missing(experiment, placed, table, asked)


def _missing(
    experiment: Experiment, placed: Placed[Figure], table: str, asked: Iterable[Question]
) -> Iterator[Problem]:
    names = column_names(experiment)
    able = [e for e in experiment.engines if table in experiment.declared[e].side_tables]
    lists = [e for e in able if table not in experiment.declared[e].fills]
    wanted = {names.get(key, key): value for key, value in placed.asked.where.items()}
    if not able:
        fill = [n for n, each in experiment.declared.items() if table in each.side_tables]
        message = f"no engine of this experiment fills the table {table}"
        yield Problem(placed.place, f"{message}; {' and '.join(fill) or 'none of them'} can")
    # A figure of predictions needs no measurement beside them.
    for engine in lists or able:
        option = experiment.declared[engine].fills.get(table)
        points = (q for q in asked if q.engine == engine and _chosen(q, wanted))
        lacking = next((q for q in points if not _asks(q, table, option)), None)
        if lacking is not None:
            now = ", ".join(_tables(lacking)) or "nothing"
            wanting = (
                f"for which engine.{engine}.{option} must be true"
                if option
                else f"which engine.{engine}.tables must list; it lists {now}"
            )
            yield Problem(placed.place, f"shows the table {table}, {wanting}")


def _asks(question: Question, table: str, option: str | None) -> bool:
    """Whether the points write `table`: by `option`, if that is what the engine writes it for."""
    options = question.options.model
    if option:
        return bool(options and options.spec().get(option))
    return table in _tables(question)


def _tables(question: Question) -> list[str]:
    options = question.options.model
    return list(options.spec().get("tables") or ()) if options else []


def _chosen(question: Question, wanted: Mapping[str, object]) -> bool:
    settings = _settings(question) if wanted else {}
    return all(
        same(settings[key]) in [same(each) for each in either(value)]
        for key, value in wanted.items()
        if key in settings
    )


def _settings(question: Question) -> dict[str, object]:
    found: dict[str, object] = {"engine": question.engine}
    for name, part in question.parts.items():
        section = name if name in POINT_GROUPS else "options"
        for key, value in dotted(part.model.spec() if part.model else {}):
            found[f"{section}.{key}"] = value
    return found
