"""Calibrations as files, and where those lie that experiments have stored."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from weft.files import JsonObject, replace_text, sealed_text, unsealed
from weft.files.layout import ExperimentFolder, Results

#: The folder of an experiment's calibrations.
FOLDER = "calibrations"


def write_calibration(path: Path, content: Mapping[str, object]) -> None:
    """Write a calibration with its checksum: other experiments may use it long after."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, sealed_text(json.dumps(content, indent=1, sort_keys=True)) + "\n")


def read_calibration(path: Path) -> JsonObject:
    """What `write_calibration` wrote; an earlier weft wrote no checksum.

    Raises ValueError, naming the file, when it is not what was written.
    """
    try:
        return unsealed(path.read_bytes().rstrip(b"\n"), required=False)
    except ValueError as error:
        raise ValueError(f"{path} was altered after it was written ({error}); delete it") from error


def read_stored(path: Path) -> JsonObject:
    """A calibration that an experiment has stored, with its machine, its date and its line.

    Raises ValueError, naming the file, also where a hand has left out one of these: an earlier weft
    wrote no checksum, and whoever edits a file may remove it.
    """
    found = read_calibration(path)
    if wrong := next(_missing(found), None):
        raise ValueError(f"{path} was altered after it was written ({wrong}); delete it")
    return found


def _missing(stored: Mapping[str, object]) -> Iterator[str]:
    machine = stored.get("machine")
    for name in ("id", "cpu"):
        if not isinstance(machine, dict) or not isinstance(machine.get(name), str):
            yield f"machine.{name} is no text"
    if not isinstance(stored.get("date"), str):
        yield "date is no text"
    for name in ("latency_s", "bandwidth_bytes_per_s"):
        value = stored.get(name)
        if not isinstance(value, int | float) or not 0 <= value < math.inf:
            yield f"{name} is no number of 0 or more"


def stored_calibration(folder: ExperimentFolder, machine_id: str, date: str) -> Path:
    """A calibration under its machine and the time of its measurement, which later ones leave."""
    when = date[:19].replace(":", "")
    return folder.path / FOLDER / f"{machine_id}_{when}.json"


def calibrations_of(folder: ExperimentFolder) -> list[Path]:
    """All that an experiment has stored, in the order of machines and times."""
    return sorted((folder.path / FOLDER).glob("*.json"))


def all_calibrations(results: Results) -> list[tuple[str, Path]]:
    """Those of all experiments, each with the experiment's name."""
    found = sorted(results.path.glob(f"*/{FOLDER}/*.json"))
    return [(path.relative_to(results.path).parts[0], path) for path in found]


def no_fit(folder: ExperimentFolder) -> str | None:
    """Why an experiment has measured and stored no calibration; None if it has not come so far.

    Raises ValueError, naming the file, when it is not what was written.
    """
    if not folder.calibration.is_file():
        return None
    problem = read_calibration(folder.calibration).get("problem")
    return f"{folder.name} has stored no calibration: {problem}" if problem else None


def residuals_of(calibration: Mapping[str, Any]) -> dict[str, float]:
    """How far the fits of a calibration are off: the root mean square of the relative residuals.

    That of the `line`, and that of the `curve` of messages one way, if there is one, in the worse
    placement. Sizes that the curve leaves out, because something disturbed them, do not count.
    """
    found = {"line": float(calibration.get("relative_residual_rms") or 0.0)}
    curves = (place.get("one_way") for place in calibration.get("curves", {}).values())
    if off := [_rms(_kept(curve)) for curve in curves if curve]:
        found["curve"] = max(off)
    return found


def _kept(curve: Mapping[str, list[float]]) -> list[float]:
    """The residuals of the sizes that the fit has not left out."""
    sizes = curve.get("message_bytes") or range(len(curve["residuals"]))
    left_out = set(curve.get("outliers_bytes", ()))
    pairs = zip(sizes, curve["residuals"], strict=True)
    return [residual for size, residual in pairs if size not in left_out]


def _rms(residuals: Sequence[float]) -> float:
    return math.sqrt(fmean(each**2 for each in residuals)) if residuals else 0.0
