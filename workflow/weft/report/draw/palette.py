"""Colours and shapes of series: safe for the colour-blind, on dark and light pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

# Okabe & Ito's colours, without the black and yellow that dark and light pages swallow.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
GREYS = ("#7A7A7A", "#A0522D", "#5B83B5", "#8F7A00")
SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "triangle-right")
_HOLLOW = ("diamond", "cross", "triangle-down", "square")


class Palette:
    """One colour and shape per series on the whole page, and no two alike in one figure."""

    def __init__(self) -> None:
        self._answers: dict[str, int] = {}
        self._others: dict[str, int] = {}

    def looks(self, kinds: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        """Colour and shape of every series of a figure, given the kind of each."""
        found: dict[str, tuple[str, str]] = {}
        taken: dict[bool, Counter[int]] = {True: Counter(), False: Counter()}
        for series, kind in kinds.items():
            ours = kind == "answer"
            # Series of one engine and variant share a colour where they can.
            stem = " · ".join(series.split(" · ")[:2]) if ours else series
            known = self._answers if ours else self._others
            colours = COLOURS if ours else GREYS
            place = _free(known.setdefault(stem, len(known)), taken[ours], len(colours))
            # When colours begin again, each comes with another shape.
            form = place + taken[ours][place] - 1
            hollow = "stroke" if kind == "derived" else _HOLLOW[form % len(_HOLLOW)]
            found[series] = colours[place], SHAPES[form % len(SHAPES)] if ours else hollow
        return found


def _free(wanted: int, taken: Counter[int], count: int) -> int:
    """The place that is wanted, or the first that no other series of the figure has."""
    free = [place for place in range(count) if not taken[place]]
    place = wanted % count
    place = place if place in free or not free else free[0]
    taken[place] += 1
    return place
