"""`weft-cc`, `weft-c++`, `weft-fc`: compilers with the MPI of weft's simulators, like `mpicc`.

They are commands of a simulator; nothing else of weft is imported, because builds start many.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from weft.files.layout import CLONE

#: The simulator, of the clone in which this file lies.
_SIMULATOR = CLONE / "simulators" / "target" / "release" / "weft-flow"


def cc() -> NoReturn:
    """Become `weft-cc`."""
    _become("cc")


def cxx() -> NoReturn:
    """Become `weft-c++`."""
    _become("c++")


def fc() -> NoReturn:
    """Become `weft-fc`."""
    _become("fc")


def _become(command: str) -> NoReturn:
    simulator = os.environ.get("WEFT_FLOW", str(_SIMULATOR))
    try:
        os.execv(simulator, [simulator, command, *sys.argv[1:]])
    except OSError as error:
        sys.exit(
            f"weft-{command}: {simulator}: {error.strerror}: run `make build` in weft's folder"
        )
