"""Vega-Lite as plain values: what a grammar of some hundred nested properties is to weft."""

from __future__ import annotations

from typing import Any

#: A specification or a part of it, as Altair takes and gives them; vl-convert and the page's
#: JavaScript check them.
VegaLite = dict[str, Any]
