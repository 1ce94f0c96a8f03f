"""Figures as drawings of a page: rows, then charts, as their kind says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from weft.config.model.figure import Figure
from weft.report.data.source import Study
from weft.report.data.titles import distinct
from weft.report.data.units import key_label, settings_label, value_label
from weft.report.draw.drawing import Drawing, panels
from weft.report.draw.palette import Palette
from weft.report.kinds import kind_of


def figure_drawing(
    study: Study, figure: Figure, identifier: str, heading: str, palette: Palette
) -> Drawing:
    """One entry of `figures:` as it stands on the page, with `heading` as its title."""
    _, kind = kind_of(type(figure))
    data = kind.rows(study, figure)
    if data.nothing:
        notes = [_nowhere(study, figure) or data.nothing]
        return Drawing(identifier, heading, notes=notes, csv=data.csv(), legend=data.legend)
    charts = kind.charts(data, palette) if kind.charts else []
    return Drawing(
        identifier,
        heading,
        panels=panels(identifier, charts, kind.panel_notes(data)),
        table=kind.table(data) if kind.table else None,
        notes=data.notes,
        csv=data.csv(),
        legend=data.legend,
    )


def _nowhere(study: Study, figure: Figure) -> str | None:
    """That no point lies where the figure looks, as under overrides; None where some do."""
    where = figure.where
    if not where or study.chosen(where):
        return None
    wanted = [f"{key_label(k).lower()} = {_either(k, v)}" for k, v in where.items()]
    return f"No point of this run has {' and '.join(wanted)}."


def _either(key: str, choice: object) -> str:
    values = choice if isinstance(choice, list | tuple) else [choice]
    return " or ".join(value_label(key, each) for each in values)


def figure_drawings(study: Study, figures: Sequence[Figure], palette: Palette) -> list[Drawing]:
    """All figures of a page, each with a title of its own."""
    headings = figure_titles(study, figures)
    return [
        figure_drawing(study, figure, f"figure-{number}", heading, palette)
        for number, (figure, heading) in enumerate(zip(figures, headings, strict=True), 1)
    ]


def title(study: Study, figure: Figure) -> str:
    """The title that the file gives, else what the figure shows."""
    _, kind = kind_of(type(figure))
    return figure.title or kind.title(study, figure)


def figure_titles(study: Study, figures: Sequence[Figure]) -> list[str]:
    """A title for each figure; those that would be equal also say in what they differ."""
    hints = [_hints(study, figure) for figure in figures]
    even = list(zip(*zip_longest(*hints, fillvalue=""), strict=True))
    return distinct([title(study, figure) for figure in figures], even)


def _hints(study: Study, figure: Figure) -> tuple[str, ...]:
    """What may distinguish figures of the same title, the best first."""
    name, kind = kind_of(type(figure))
    where = ((key, _plain(value)) for key, value in figure.where.items())
    return (settings_label(where, study.scales), name, *kind.hints(figure))


def _plain(value: object) -> object:
    return " or ".join(map(str, value)) if isinstance(value, list | tuple) else value
