"""The engines by name: those that `configs/engine/` declares."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from weft.engines.base import Engine, EngineError
from weft.engines.order import DeclaredFacts, ResolvedOrder, ShardOrder
from weft.files.layout import Layout

if TYPE_CHECKING:
    from weft.config.model.engine import DeclaredEngine, Engines

#: Engines with `program: external`: the class, as `module:name`, that drives a program of others.
#: It is made of the side tables that its declaration names.
ADAPTERS: Mapping[str, str] = {
    "booksim": "weft.engines.booksim.engine:BookSimEngine",
    "simgrid": "weft.engines.simgrid.engine:SimGridEngine",
    "smpi": "weft.engines.smpi.engine:SmpiEngine",
}


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
    """The folder whose engines are meant."""
    return Layout.here("configs/engine").root


@cache
def _declared(project: Path) -> Engines:
    # Imported on first use: it brings Hydra, Pydantic and Pint, which jobs need not load.
    from weft.config import ConfigErrors
    from weft.config.model.engine import declared_engines

    try:
        engines = declared_engines(Layout(project).configs)
    except ConfigErrors as error:
        raise EngineError(str(error)) from error
    for name, each in engines.items():
        if each.program == "external" and name not in ADAPTERS:
            known = ", ".join(ADAPTERS) or "no engine"
            raise EngineError(
                f"configs/engine/{name}.yaml: program: external needs an adapter in weft, "
                f"which has those of {known}; write crate, command or image"
            )
    return engines


@cache
def _engine(project: Path, name: str) -> Engine:
    engines = _declared(project)
    if name not in engines:
        raise EngineError(f"no engine '{name}'; known are {', '.join(engines)}")
    return _built(name, _facts(engines[name]))


def declaration(name: str) -> DeclaredFacts:
    """What a job has to know of the engine called `name`, as plain values; errors as `engine`."""
    engine(name)
    return _facts(_declared(_project())[name])


def shard_engine(shard: ShardOrder | ResolvedOrder) -> Engine:
    """The engine of a shard file, by what the planner has written there about it.

    Raises EngineError as `engine` does for a shard without that.
    """
    facts = shard.get("declared")
    return _built(shard["engine"], facts) if facts else engine(shard["engine"])


def _facts(declared: DeclaredEngine) -> DeclaredFacts:
    # Imported on first use: the package of tables brings Arrow, which no job's Snakefile needs.
    from weft.tables.declared import FILES

    tables = [name for name in declared.side_tables if name not in FILES]
    return {
        "measures": declared.measures,
        "network_costs": declared.network_costs,
        "program": declared.program,
        "side_tables": tables,
    }


def _built(name: str, facts: DeclaredFacts) -> Engine:
    if facts["measures"]:
        # Imported on first use to keep parsing light.
        from weft.engines.hardware.engine import HardwareEngine

        return HardwareEngine(side_tables=tuple(facts["side_tables"]))
    if facts["program"] == "external":
        module, _, made = ADAPTERS[name].partition(":")
        adapter: Engine = getattr(import_module(module), made)(tuple(facts["side_tables"]))
        return adapter
    from weft.engines.native import NativeEngine

    return NativeEngine(name, facts["program"], tuple(facts["side_tables"]))
