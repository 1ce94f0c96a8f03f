"""Fewer collections of garbage while a command starts.

Python looks at all objects again and again while modules are imported, though what they define
stays. That was a fifth of the CPU time of `snakemake -n`.
"""

from __future__ import annotations

import gc

#: Objects that may be new before Python looks for garbage among them; without this 700.
NEW_OBJECTS = 100_000


def collect_rarely() -> None:
    """Never look again at what is there, and at new objects more rarely."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
