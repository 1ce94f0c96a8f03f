"""Communication matrices as heat maps."""

from __future__ import annotations

import altair as alt

from weft.report.data.units import Scale, scale_for
from weft.report.draw.charts import config
from weft.report.draw.drawing import Chart, VegaLite
from weft.report.kinds.rank_pairs.rows import Matrices, Matrix, Sent

_HUE = ("#cfe0ee", "#0b4f8a")
#: The height of a matrix, and how many ranks are named along an axis.
_HEIGHT, _NAMES = 360, 8


def pair_charts(data: Matrices) -> list[Chart]:
    """A specification per setting, with its name; all of them share the colours."""
    of = data.figure.of
    values = [pair.sent(of) for each in data.found for pair in each.pairs]
    scale = scale_for("B", values) if of == "bytes" else Scale(1.0, "")
    found: list[Chart] = []
    for each in data.found:
        among = [pair.sent(of) for pair in each.pairs] if data.figure.free else values
        found.append((each.panel, _map(each, of, scale, (min(among), max(among)))))
    return found


def _map(matrix: Matrix, of: Sent, scale: Scale, ends: tuple[float, float]) -> VegaLite:
    block = matrix.block
    drawn = [
        {
            "x": pair.destination,
            "y": pair.source,
            "from": _named(pair.source, matrix),
            "to": _named(pair.destination, matrix),
            "value": float(f"{pair.sent(of) / scale.factor:.4g}"),
            "messages": pair.messages,
        }
        for pair in matrix.pairs
    ]
    low, high = (float(f"{end / scale.factor:.4g}") for end in ends)
    title = f"Sent [{scale.unit}]" if of == "bytes" else "Messages"
    legend = alt.Legend(title=title, orient="top", gradientLength=200)
    # A logarithm shows neighbours beside partners to which a rank sends a thousandth of that.
    kind: VegaLite = {"type": "log"} if low > 0 and high / low > 20 else {"zero": False}
    hue = alt.Scale(domain=[low, high], range=list(_HUE), **kind)
    across = list(range(-(-matrix.ranks // block)))
    each = -(-len(across) // _NAMES)
    axis: VegaLite = {
        "labelExpr": f"datum.value % {each} ? '' : datum.value * {block}",
        "labelAngle": 0,
        "ticks": False,
        "domain": False,
    }
    spec: VegaLite = (
        alt.Chart(alt.InlineData(values=drawn))
        .mark_rect()
        .encode(
            x=alt.X("x:O", axis=alt.Axis(title="Destination rank", **axis)).scale(domain=across),
            y=alt.Y("y:O", axis=alt.Axis(title="Source rank", **axis)).scale(domain=across),
            color=alt.Color("value:Q", scale=hue, legend=legend),
            tooltip=[
                alt.Tooltip("from:N", title="From"),
                alt.Tooltip("to:N", title="To"),
                alt.Tooltip("value:Q", title=title, format=",.4~g"),
                alt.Tooltip("messages:Q", title="Messages", format=",.4~g"),
            ],
        )
        .to_dict(validate=False)
    )
    return spec | {
        "width": "container",
        "height": _HEIGHT,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": config(),
    }


def _named(place: int, matrix: Matrix) -> str:
    first = place * matrix.block
    last = min(first + matrix.block, matrix.ranks) - 1
    return f"rank {first}" if first == last else f"ranks {first} to {last}"
