"""Titles of figures: no two on one page are the same."""

from __future__ import annotations

from collections.abc import Sequence

from weft.report.data.figures import Figure
from weft.report.data.source import Study
from weft.report.data.timelines import GRAPHS
from weft.report.data.units import key_label, settings_label


def figure_titles(study: Study, figures: Sequence[Figure]) -> list[str]:
    """A title for each figure; those that would be equal also say in what they differ."""
    return distinct([title(study, f) for f in figures], [_hints(study, f) for f in figures])


def title(study: Study, figure: Figure) -> str:
    """The title that the file gives, else what the figure shows."""
    if figure.title:
        return figure.title
    if figure.kind == "timeline":
        return f"{GRAPHS[figure.graph][1]} over time"
    if figure.kind == "congestion":
        return "Ports at which packets waited longest"
    label = study.metrics[figure.y].label
    if figure.of and figure.to:
        label = f"{label}: {figure.of} ÷ {figure.to}"
    return f"{label} by {key_label(figure.x).lower()}" if figure.x != "engine" else label


def _hints(study: Study, figure: Figure) -> tuple[str, ...]:
    """What may tell a figure from another of the same title, the most telling first."""
    axes = " and ".join(name for name in ("x", "y") if getattr(figure, f"log_{name}"))
    ends = figure.end is not None or figure.start
    return (
        settings_label(((k, _plain(v)) for k, v in figure.where.items()), study.scales),
        figure.kind,
        f"logarithmic {axes}" if axes else "",
        ", ".join(figure.labels),
        f"from {figure.start:g} s" + (f" to {figure.end:g} s" if figure.end else "")
        if ends
        else "",
    )


def _plain(value: object) -> object:
    return " or ".join(map(str, value)) if isinstance(value, list | tuple) else value


def distinct(titles: Sequence[str], hints: Sequence[Sequence[str]]) -> list[str]:
    """`titles`, of which equal ones get the first hints that tell them apart, else a number."""
    found = list(titles)
    for name in dict.fromkeys(titles):
        same = [i for i, each in enumerate(titles) if each == name]
        if len(same) > 1:
            told = _told([hints[i] for i in same])
            for i, text in zip(same, told, strict=True):
                found[i] = f"{name} ({text})" if text else name
    return found


def _told(hints: Sequence[Sequence[str]]) -> list[str]:
    """One kind of hint if it tells all apart, else all kinds, else numbers from the second on."""
    for kind in zip(*hints, strict=True):
        if len(set(kind)) == len(kind):
            return list(kind)
    whole = [", ".join(part for part in each if part) for each in hints]
    if len(set(whole)) == len(whole):
        return whole
    return ["", *(str(number) for number in range(2, len(hints) + 1))]
