"""Whether this machine can run programs of strangers."""

from __future__ import annotations

from collections.abc import Iterator

from weft.confine import layers
from weft.doctor.finding import Finding
from weft.engines.program_simulators import program_simulators

_COST = "a service refuses programs that people upload; all else works"
_REMEDY = "ask the administrator: docs/confinement.md says what each layer needs"


def strangers() -> Iterator[Finding]:
    """A finding for each layer of confinement."""
    for layer in layers(program_simulators()):
        there = not layer.problem
        yield Finding(layer.name, there, layer.problem or layer.found, _COST, _REMEDY)
