"""The executables here that run C programs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from weft.engines.base import EngineError
from weft.engines.native import NativeEngine

_NAMES = ("flow", "packet", "rdma", "anet")


def program_simulators() -> list[Path]:
    """Those that are built."""
    found = []
    for name in _NAMES:
        with suppress(EngineError):
            found.append(NativeEngine(name, "crate", ()).binary)
    return found
