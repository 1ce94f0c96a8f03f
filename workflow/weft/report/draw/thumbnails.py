"""Small pictures of figures for the index: drawings that need no script."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import vl_convert
from markupsafe import Markup

from weft.report.data.source import Row
from weft.report.draw.drawing import VegaLite

WIDTH, HEIGHT = 220, 130
#: A picture shows at most so many rows of data, evenly spread; more are not distinguishable.
_MOST_ROWS = 240
#: What a screen reader would read of every mark; the text beside a picture says more.
_SPOKEN = re.compile(r' (?:aria-[a-z]+|role)="[^"]*"')
_HIDDEN = '<svg aria-hidden="true"'
#: What titles, labels and pointers need.
_LEFT = ("tooltip", "legend", "axis", "params", "clip", "cornerRadius")
_BARE = {
    "axis": {
        "labels": False, "ticks": False, "title": None, "grid": False, "domainOpacity": 0.4,
        "domainColor": "currentColor",
    },
    "legend": {"disable": True},
    "view": {"stroke": None},
    "background": None,
    "aria": False,
}  # fmt: skip


def picture(spec: VegaLite) -> Markup:
    """The drawing of `spec` as SVG, without words; empty where it cannot be drawn alone."""
    kept = {
        key: value for key, value in spec.items() if key not in ("padding", "config", "datasets")
    }
    kept["layer"] = [each for each in spec["layer"] if each["mark"]["type"] != "text"]
    bare: VegaLite = {
        **{key: _plain(each) for key, each in kept.items() if key not in _LEFT},
        **_data(spec),
    }
    bare |= {"width": WIDTH, "height": HEIGHT, "config": _BARE, "padding": 2}
    bare["autosize"] = {"type": "fit", "contains": "padding"}
    try:
        text = vl_convert.vegalite_to_svg(bare, vl_version=_version(spec))
    except ValueError:
        return Markup("")
    return Markup(_SPOKEN.sub("", text[text.index("<svg") :]).replace("<svg", _HIDDEN, 1))


def _version(spec: VegaLite) -> str:
    """`v6.1` of the address of the specification's schema."""
    name = str(spec["$schema"]).rsplit("/", 1)[-1]
    return ".".join(name.removesuffix(".json").split(".")[:2])


def _data(spec: VegaLite) -> VegaLite:
    """The data of `spec`, as few rows as can be seen; those of maps lie under names."""
    if "datasets" in spec:
        return {"data": spec["data"], "datasets": spec["datasets"]}
    return {"data": {"values": _few(spec["data"]["values"])}}


def _few(rows: Sequence[Row]) -> list[Row]:
    step = max(1, -(-len(rows) // _MOST_ROWS))
    return [row for place, row in enumerate(rows) if place % step == 0 or row.get("ends")]


def _plain(value: object) -> object:
    """Without titles, labels and what only moves under a pointer."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items() if key not in _LEFT}
    if isinstance(value, list):
        return [_plain(each) for each in value if not _of_legend(each)]
    return value


def _of_legend(value: object) -> bool:
    return isinstance(value, Mapping) and "param" in (value.get("filter") or ())
