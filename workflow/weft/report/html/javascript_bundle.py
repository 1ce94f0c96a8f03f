"""The one JavaScript bundle of a page: Vega, Vega-Lite and vega-embed, made once and cached."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import cast

import altair
import vl_convert

from weft.files import replace_text
from weft.report.html.compressed_text import packed


def _folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "weft"


@cache
def packed_javascript() -> str:
    """The bundle as a page holds it: less than half as long as its text."""
    return packed(javascript())


def javascript() -> str:
    """The bundle; an unwritable cache only costs seconds."""
    name = f"{version('vl-convert-python')}-{altair.SCHEMA_VERSION}"
    path = _folder() / f"vega-{name}.js"
    if path.is_file():
        return path.read_text()
    bundle = cast(
        "Callable[[], str]", vl_convert.javascript_bundle
    )  # its stub demands what is optional
    text = bundle()
    with suppress(OSError):
        replace_text(path, text)
    return text
