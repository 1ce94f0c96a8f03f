"""The engines by name: those that `configs/engine/` declares."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from weft.config import ConfigErrors
from weft.config.engine import Engines, declared_engines
from weft.engines.base import Engine, EngineError

PROJECT = Path(__file__).resolve().parents[3]


def engine_names(kind: str) -> tuple[str, ...]:
    """Names of the engines of `kind`: `simulator` or `hardware`.

    Raises EngineError with all mistakes when a declaration is wrong.
    """
    measures = kind == "hardware"
    return tuple(name for name, each in _declared(_project()).items() if each.measures == measures)


def engine(name: str) -> Engine:
    """The engine called `name`.

    Raises EngineError for a name that is not declared, or when a declaration is wrong.
    """
    return _engine(_project(), name)


def _project() -> Path:
    """The folder whose engines are meant: the working one, if it is a project."""
    here = Path.cwd()
    return here if (here / "configs" / "engine").is_dir() else PROJECT


@cache
def _declared(project: Path) -> Engines:
    try:
        return declared_engines(project / "configs")
    except ConfigErrors as error:
        raise EngineError(str(error)) from error


@cache
def _engine(project: Path, name: str) -> Engine:
    engines = _declared(project)
    if name not in engines:
        raise EngineError(f"no engine '{name}'; known are {', '.join(engines)}")
    declared = engines[name]
    if declared.measures:
        # Imported on first use to keep parsing light.
        from weft.engines.hardware import HardwareEngine

        return HardwareEngine()
    from weft.engines.native import NativeEngine

    return NativeEngine(declared.name, declared.program, declared.side_tables)
