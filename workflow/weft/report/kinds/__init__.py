"""Kinds of figures; the module `x` is all of the kind `x`: rows, charts and what they say."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from weft.config.model.figure import Figure
from weft.config.model.figures import FIGURES
from weft.report.draw.kind import Kind


@cache
def kind_of(model: type[Figure]) -> tuple[str, Kind[Any, Any]]:
    """The name and the kind of figures of this model, loaded with the first of them: a page has
    few kinds.

    Raises TypeError for a kind whose module names another model than `FIGURES` does.
    """
    name = next(name for name, known in FIGURES.items() if known is model)
    kind = import_module(f"{__name__}.{name}").KIND
    if kind.model is not model:
        raise TypeError(f"the kind {name} draws {kind.model.__name__}, not {model.__name__}")
    return name, kind
