"""Maps of choices as Vega-Lite: the choice in every cell, from light to dark in planned order."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from weft.report.data.units import in_unit, key_label, titled
from weft.report.draw.charts import config
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.kinds.choice.cells import ChoiceCell
from weft.report.kinds.choice.rows import ChoiceData

_CHOICES = ((230, 239, 245), (11, 79, 138))
_LOST = ("#f4efe8", "#a33c00")
#: Cells that differ from others have a frame that is also seen in grey.
_FRAME = "#e8853a"
_DARK, _LIGHT = "#15191d", "#ffffff"
_HEIGHT = 24
#: How wide a letter is, as a share of its size; and the smallest letters that can be read.
_LETTER, _SMALLEST = 0.56, 7


def choice_charts(data: ChoiceData) -> list[Chart]:
    """A specification per panel, with the panel's name."""
    most = max((cell.lost or 0.0 for cell in data.cells), default=0.0)
    return [(data.name(panel), _spec(data, data.of(panel), most)) for panel in data.panels]


def _spec(data: ChoiceData, cells: Sequence[ChoiceCell], most: float) -> VegaLite:
    figure, scales = data.figure, data.scales
    rows = [_row(data, cell, most) for cell in cells]
    across, down = (list(dict.fromkeys(row[axis] for row in rows)) for axis in ("x", "y"))
    plain: VegaLite = {"domain": False, "ticks": False, "labelLimit": 0}
    titles = [titled(key_label(key), scales.get(key)) for key in (figure.x, figure.y)]
    tooltip = [alt.Tooltip("choice:N", title=key_label(figure.among))]
    if figure.published:
        tooltip.append(alt.Tooltip("other:N", title=data.judge))
    if figure.to:
        tooltip.append(alt.Tooltip("other:N", title="Best there"))
        tooltip.append(alt.Tooltip("lost:Q", title="Lost", format=".2%"))
    if any(cell.level for cell in cells):
        tooltip.append(alt.Tooltip("level:N", title="Indistinguishable"))
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("x:N", sort=across, axis=alt.Axis(title=titles[0], labelAngle=0, **plain)),
        y=alt.Y("y:N", sort=down, axis=alt.Axis(title=titles[1], **plain)),
        tooltip=tooltip,
    )
    fill = alt.Color("fill:N", scale=None, legend=None)
    tiles = base.mark_rect(stroke="currentColor", strokeOpacity=0.12).encode(color=fill)
    framed = base.mark_rect(stroke=_FRAME, strokeWidth=2.5, fill=None)
    # Texts shrink to the cells of a narrow screen. What is still longer is cut; the tooltip has it.
    letters = max((len(str(row["text"])) for row in rows), default=1) or 1
    size = alt.ExprRef(
        f"clamp((width / {max(1, len(across))} - 4) / {_LETTER * letters:.2f}, {_SMALLEST}, 11)"
    )
    wide = alt.ExprRef(f"width / {max(1, len(across))} - 2")
    texts = base.mark_text(fontSize=size, tooltip=None, limit=wide).encode(
        text="text:N", color=alt.Color("ink:N", scale=None, legend=None)
    )
    layers = [tiles, framed.transform_filter("datum.differs"), texts]
    spec: VegaLite = alt.layer(*layers).to_dict(validate=False)
    return spec | {
        "padding": {"left": 5, "right": 5, "bottom": 5, "top": 26},
        "width": "container",
        "height": _HEIGHT * max(1, len(down)),
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": config(),
    }


def _row(data: ChoiceData, cell: ChoiceCell, most: float) -> VegaLite:
    figure = data.figure
    if cell.lost is None:
        part = data.order.index(cell.choice) / max(1, len(data.order) - 1)
        sign = "≠" if cell.is_apart else "~"
        text = f"{cell.choice} {sign} {cell.other}" if cell.differs else cell.choice
        fill = _between(part)
    else:
        part = cell.lost / most if most else 0.0
        text = "" if cell.lost == 0 else f"{100 * cell.lost:.1f}\N{NO-BREAK SPACE}%"
        fill = _between(part, tuple(_rgb(each) for each in _LOST))
    return {
        "x": in_unit(figure.x, cell.across, data.scales.get(figure.x)),
        "y": in_unit(figure.y, cell.down, data.scales.get(figure.y)),
        "choice": cell.choice,
        "other": cell.other,
        "lost": cell.lost,
        "level": ", ".join(cell.level),
        "differs": cell.is_apart,
        "text": text,
        "fill": fill,
        "ink": _LIGHT if part > 0.5 else _DARK,
    }


def _between(part: float, ends: Sequence[tuple[int, int, int]] = _CHOICES) -> str:
    light, dark = ends
    mixed = (round(a + part * (b - a)) for a, b in zip(light, dark, strict=True))
    return "#" + "".join(f"{each:02x}" for each in mixed)


def _rgb(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)
