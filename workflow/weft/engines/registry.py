"""The engines by name. To add one, write its module and add one line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from weft.engines.base import Engine, EngineError

#: name -> module with a class `<Name>Engine`; imported on first use to keep parsing light.
MODULES = {"flow": "weft.engines.flow", "hardware": "weft.engines.hardware"}


def engine_names(kind: str) -> tuple[str, ...]:
    """Names of the engines of `kind`: `simulator` or `hardware`."""
    return tuple(name for name in MODULES if engine(name).kind == kind)


@cache
def engine(name: str) -> Engine:
    """The engine called `name`.

    Raises EngineError for a name that is not registered.
    """
    if name not in MODULES:
        raise EngineError(f"no engine '{name}'; known are {', '.join(sorted(MODULES))}")
    found: Engine = getattr(import_module(MODULES[name]), f"{name.capitalize()}Engine")()
    return found
