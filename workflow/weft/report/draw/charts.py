"""What Vega-Lite specifications of figures share: responsive, for light and dark pages."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from weft.report.draw.drawing import VegaLite
from weft.report.draw.series_looks import FILTER

#: What the last label of the x axis may need beside the chart, in pixels. Vega finds room for the
#: labels that it shows at first; where labels overlap on a phone, it shows others in the end.
_LAST_LABEL = 22


def drawn_from(rows: Sequence[VegaLite]) -> alt.Chart:
    """A chart of `rows`, without marks."""
    return alt.Chart(alt.InlineData(values=list(rows)))


def blank() -> alt.Chart:
    """A chart without marks, whose rows `finish` adds: Altair would compare each with a schema."""
    return alt.Chart(alt.InlineData(values=[]))


def finish(layers: Sequence[alt.Chart], rows: Sequence[VegaLite]) -> VegaLite:
    """Put the data once on top and let every layer that has series obey the legend.

    The layer with the selection stays first: Vega-Lite makes only that layer's legend clickable.
    """
    first, *others = [layer.to_dict(validate=False) for layer in layers]
    for layer in (first, *others):
        layer.pop("data", None)
        if "color" in layer["encoding"]:
            layer.setdefault("transform", []).append({"filter": {"param": FILTER}})
    labelled = bool(first["encoding"].get("color", {}).get("legend"))
    for layer in (first, *others):
        for name in ("$schema", "config", "datasets"):
            layer.pop(name, None)
    return {
        "$schema": alt.SCHEMA_URL,
        "data": {"values": [_lean(row) for row in rows]},
        "width": "container",
        "height": 300,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "layer": [first, *others],
        "config": config(),
        # Without a legend above it, the menu of the chart would lie on a mark.
        "padding": {"left": 5, "right": _LAST_LABEL, "bottom": 5, "top": 5 if labelled else 26},
    }


def _lean(row: VegaLite) -> VegaLite:
    return {key: value for key, value in row.items() if value is not None and key != "panel"}


def panel_height(panels: int) -> int:
    """The height of one of so many `panels`, in pixels: many are there to be seen together."""
    return 300 if panels < 3 else 220


def config() -> VegaLite:
    """Text and lines take the page's colour, so one drawing serves light, dark and print."""
    ink, font = "currentColor", "system-ui, sans-serif"
    return {
        "background": None,
        "font": font,
        "view": {"stroke": None},
        "axis": {
            "domainColor": ink, "domainOpacity": 0.45, "tickColor": ink, "tickOpacity": 0.45,
            "gridColor": ink, "gridOpacity": 0.1, "labelColor": ink, "titleColor": ink,
            "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 500, "titlePadding": 10,
        },
        "legend": {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "symbolLimit": 400},
        "text": {"fill": ink},
    }  # fmt: skip
