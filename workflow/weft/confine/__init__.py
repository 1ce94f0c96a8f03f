"""Runs commands of strangers in a sandbox, and collects only what they may leave.

`sandbox` describes a sandbox and makes the command that starts it. `run` starts it and watches its
limits. `outputs` collects files. `layers` says what this machine lacks.
"""

from weft.confine.layers import Layer, layers, missing_layers, missing_to_build
from weft.confine.outputs import CollectedFiles, collect, sweep
from weft.confine.run import SandboxEnd, run
from weft.confine.sandbox import Limits, Sandbox

__all__ = [
    "CollectedFiles",
    "Layer",
    "Limits",
    "Sandbox",
    "SandboxEnd",
    "collect",
    "layers",
    "missing_layers",
    "missing_to_build",
    "run",
    "sweep",
]
