"""Marks of values that are not to be trusted."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from weft.report.draw.drawing import VegaLite

#: The page's own colour, light or dark, which hides the line behind a hollow mark; white in a
#: picture that has left the page.
PAPER = "var(--paper, white)"
#: Large enough that the inside shows, in square pixels.
_SIZE = 80


def hollowed(marks: alt.Chart, rows: Sequence[VegaLite]) -> list[alt.Chart]:
    """`marks`, hollow where `rows` are flagged."""
    if not any(row.get("flag") for row in rows):
        return [marks]
    hollow = marks.copy(deep=True)
    mark = hollow.to_dict(validate=False)["mark"]
    large = {"size": max(mark["size"], _SIZE)} if mark["type"] == "point" else {}
    hollow.mark = alt.MarkDef(
        **{**mark, **large, "filled": False, "fill": PAPER, "opacity": 1, "strokeWidth": 2}
    )
    return [marks.transform_filter("!datum.flag"), hollow.transform_filter("datum.flag")]
