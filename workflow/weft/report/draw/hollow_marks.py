"""Marks of values that were measured on a busy machine."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from weft.report.data.source import Row


def hollowed(marks: alt.Chart, rows: Sequence[Row]) -> list[alt.Chart]:
    """`marks`, hollow where `rows` are flagged."""
    if not any(row.get("flag") for row in rows):
        return [marks]
    hollow = marks.copy(deep=True)
    mark = hollow.to_dict(validate=False)["mark"]
    hollow.mark = alt.MarkDef(**{**mark, "filled": False, "strokeWidth": 2})
    return [marks.transform_filter("!datum.flag"), hollow.transform_filter("datum.flag")]
