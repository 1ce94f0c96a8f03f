"""Rendering: templates, embedded specifications, downloads; every page stands alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from weft import __version__
from weft.files import replace_text
from weft.report.data.units import day_and_time, factor, short
from weft.report.draw.vega_lite import VegaLite
from weft.report.html.compressed_text import packed
from weft.report.html.javascript_bundle import packed_javascript

#: Specifications with more letters than that are compressed.
_LONG = 20_000
_TEMPLATES = Path(__file__).parent / "templates"


def render(
    template: str,
    out: Path,
    values: Mapping[str, object],
    charts: bool = True,
    made_at: datetime | None = None,
) -> None:
    """Write one page through a temporary file, so that a reader never meets half of it.

    Its foot shows the moment `made_at`; now by default.
    """
    text = (
        _environment()
        .get_template(template)
        .render(
            style=Markup((_TEMPLATES / "style.css").read_text()),
            script=Markup((_TEMPLATES / "page.js").read_text()),
            bundle=Markup(packed_javascript()) if charts else "",
            made=day_and_time(made_at or _now()),
            version=__version__,
            **values,
        )
    )
    replace_text(out, text)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        spec_script=spec_script, csv_link=csv_link, factor=factor, short=short
    )
    return environment


def embedded(value: object) -> Markup:
    """JSON that may stand inside a script element."""
    return Markup(_json(value).replace("<", "\\u003c"))


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def spec_script(spec: VegaLite, target: str) -> Markup:
    """The script element that holds the specification of a drawing, compressed if it is long."""
    text = embedded(spec)
    packs = len(text) > _LONG
    kind, held = ("gzip", packed(_json(spec))) if packs else ("json", text)
    return Markup(
        f'<script type="application/{kind}" class="spec" data-for="{target}">{held}</script>'
    )


def csv_link(text: str) -> Markup:
    """A `data:` address with the CSV `text`, compressed; the page's script saves it unpacked."""
    return Markup(f"data:application/gzip;base64,{packed(text)}")


def _now() -> datetime:
    """Now, or the moment that SOURCE_DATE_EPOCH names for reproducible pages."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
