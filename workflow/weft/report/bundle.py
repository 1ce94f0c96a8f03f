"""The one JavaScript bundle of a page: Vega, Vega-Lite and vega-embed, made once and cached."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

import altair
import vl_convert


def _folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "weft"


@cache
def javascript() -> str:
    """The bundle, safe inside a script element; an unwritable cache only costs seconds."""
    version = f"{vl_convert.__version__}-vl{altair.SCHEMA_VERSION}"
    path = _folder() / f"vega-{version}.js"
    if path.is_file():
        return path.read_text()
    text = vl_convert.javascript_bundle().replace("</script", "<\\/script")
    try:
        _keep(path, text)
    except OSError:
        pass
    return text


def _keep(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    Path(name).replace(path)
