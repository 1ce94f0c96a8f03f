"""Traces: recorded of programs that run here, and read from the formats of others."""

from weft.traces.convert import convert
from weft.traces.record import record

__all__ = ["convert", "record"]
