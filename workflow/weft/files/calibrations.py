"""Where calibrations lie that experiments have stored."""

from __future__ import annotations

from pathlib import Path

from weft.files.layout import ExperimentFolder, Results

#: The folder of an experiment's calibrations.
FOLDER = "calibrations"


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
