"""Rendering: templates with their values; every page stands alone."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from weft import __version__
from weft.files import replace_text
from weft.files.page_seal import sealed_page
from weft.report.data.units import day_and_time, factor, short
from weft.report.html.javascript_bundle import packed_javascript
from weft.report.html.page_room import MOST_BYTES, PageRoom

_TEMPLATES = Path(__file__).parent / "templates"


def render(
    template: str,
    out: Path,
    values: Mapping[str, object],
    charts: bool = True,
    made_at: datetime | None = None,
) -> None:
    """Write one page through a temporary file, so that a reader never meets half of it.

    Its foot shows the moment `made_at`; now by default. What would make it too large is left out.
    """
    room = PageRoom()
    everything = {
        "style": Markup((_TEMPLATES / "style.css").read_text()),
        "script": Markup((_TEMPLATES / "page.js").read_text()),
        "bundle": Markup(packed_javascript()) if charts else "",
        "made": day_and_time(made_at or _now()),
        "version": __version__,
        "room": room,
        **values,
    }
    page = _environment().get_template(template)
    text = page.render(everything)
    while (excess := len(text.encode()) - MOST_BYTES) > 0 and room.shrink(excess):
        text = page.render(everything)
    replace_text(out, sealed_page(text))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_typeset,
    )
    environment.filters.update(factor=factor, short=short, verbatim=escape)
    return environment


#: A per cent sign behind its number, and a hyphen for the minus of a number.
_PER_CENT, _MINUS = re.compile(r"(?<=\d)%(?![0-9A-Fa-f]{2})"), re.compile(r"(?<![^\s(\[±×])-(?=\d)")


def _typeset(value: object) -> object:
    """Sentences and cells have numbers in one spelling: `5 %` and `−2`. What is already marked up,
    such as a command that people copy, stays as it is."""
    if type(value) is not str:
        return value
    return _MINUS.sub("\N{MINUS SIGN}", _PER_CENT.sub("\N{NO-BREAK SPACE}%", value))


def _now() -> datetime:
    """Now, or the moment that SOURCE_DATE_EPOCH names for reproducible pages."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return datetime.fromtimestamp(int(epoch), UTC) if epoch else datetime.now(UTC)
