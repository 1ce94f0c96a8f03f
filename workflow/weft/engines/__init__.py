"""Engines: everything that turns points into rows, behind one protocol."""

from weft.engines.base import Engine, EngineError, ShardJob
from weft.engines.registry import engine, engine_names

__all__ = ["Engine", "EngineError", "ShardJob", "engine", "engine_names"]
