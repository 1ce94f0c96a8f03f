"""What the executable of a simulator says of a network before anything runs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping

from weft.config import Experiment
from weft.engines import EngineError, engine
from weft.engines.native import NativeEngine


def answer(
    experiment: Experiment, name: str, word: str, asked: Mapping[str, object]
) -> subprocess.CompletedProcess[str] | None:
    """What the simulator answers to a command; None if no executable of these sources exists."""
    simulator = engine(name)
    try:
        binary = simulator.checked_binary() if isinstance(simulator, NativeEngine) else None
    except EngineError:
        return None
    if binary is None:
        return None
    point = json.dumps({"seed": experiment.settings.seed, **asked})
    return subprocess.run(
        [str(binary), word], input=point, capture_output=True, text=True, check=False
    )


def mistake(
    experiment: Experiment, name: str, word: str, asked: Mapping[str, object]
) -> str | None:
    """The mistake that the executable finds; None also if there is none."""
    done = answer(experiment, name, word, asked)
    if done is None or not done.returncode:
        return None
    return done.stderr.strip().removeprefix(f"weft-{name}: ")
