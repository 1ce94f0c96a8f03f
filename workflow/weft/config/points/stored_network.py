"""A network with the numbers of a calibration that is stored or exported."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from pydantic import ValidationError

from weft.config.language.errors import ConfigError, Problem, nearest, problems, unknown
from weft.config.language.yaml_files import read_raw
from weft.config.model.network import PINGPONG, Network, StoredCalibration
from weft.config.points.in_units import in_units
from weft.files.calibrations import (
    all_calibrations,
    calibrations_of,
    no_fit,
    read_stored,
    residuals_of,
)
from weft.files.layout import Layout
from weft.machine import MachineIdentity

KEY = "network.calibrated_from"
#: What a calibration gives a network.
GIVEN = ("bandwidth", "latency", "costs", "residuals")


class StoredError(Exception):
    """There is no such calibration, or it is of another machine."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.problem = Problem(key, message)


def with_stored(network: Network, root: Path, machine: str) -> Network:
    """`network` with the numbers of the stored calibration that it names, if it names one.

    `root` is the project, `machine` the name of its machine file. Raises StoredError.
    """
    source = network.calibrated_from
    if source is None or source == PINGPONG:
        return network
    found = _exported(root, source) if isinstance(source, str) else _stored(root, source, machine)
    given: dict[str, object] = {key: getattr(found, key) for key in GIVEN}
    return network.model_copy(update={**given, "calibrated_from": None})


def network_of(calibration: Mapping[str, object]) -> dict[str, object]:
    """A calibration as an experiment file writes its network.

    Raises KeyError for one without a fit.
    """
    spec = {
        "bandwidth_bytes_per_s": calibration["bandwidth_bytes_per_s"],
        "latency_s": calibration["latency_s"],
        "hop_latency_s": 0.0,
    }
    if "costs" in calibration:
        spec["costs"] = calibration["costs"]
    if "relative_residual_rms" in calibration:
        spec["residuals"] = residuals_of(calibration)
    return in_units(Network, spec)


def _exported(root: Path, path: str) -> Network:
    file = root / path
    if not file.is_file():
        beside = sorted(str(each.relative_to(root)) for each in file.parent.glob("*.yaml"))
        raise StoredError(KEY, f"there is no file {path}{nearest(path, beside)}")
    raw = read_raw(file, path)
    if isinstance(raw, ConfigError):
        raise StoredError(KEY, f"{path}: {raw}")
    try:
        network = Network.model_validate(dict(raw))
    except ValidationError as error:
        first = next(iter(problems(error, Network)))
        raise StoredError(KEY, f"{path}: {first.key}: {first.message}") from error
    if network.bandwidth is None:
        raise StoredError(KEY, f"{path} is not a calibration: it has no bandwidth")
    return network


def _stored(root: Path, source: StoredCalibration, machine: str) -> Network:
    results = Layout(root).results
    files = calibrations_of(results.experiment(source.experiment))
    try:
        why = None if files else no_fit(results.experiment(source.experiment))
        read: list[Mapping[str, object]] = [read_stored(file) for file in files]
    except ValueError as error:
        raise StoredError(f"{KEY}.experiment", str(error)) from error
    if not read:
        names = {name for name, _ in all_calibrations(results)}
        missing = why or unknown("experiment with a calibration", source.experiment, names)
        raise StoredError(f"{KEY}.experiment", missing)
    of_machine = _of_machine(read, source, MachineIdentity.here(machine))
    dates = {str(each["date"]): each for each in of_machine}
    fitting = sorted(date for date in dates if date.startswith(source.date or ""))
    if not fitting:
        asked = source.date or ""
        shown = {date[: max(len(asked), len("2026-01-01"))] for date in dates}
        raise StoredError(f"{KEY}.date", unknown("date", asked, shown))
    return Network.model_validate(network_of(dates[fitting[-1]]))


def _of_machine(
    read: list[Mapping[str, object]], source: StoredCalibration, here: MachineIdentity
) -> list[Mapping[str, object]]:
    """The calibrations of the machine that is asked for, or of this one."""
    by_machine: dict[str, list[Mapping[str, object]]] = {}
    for each in read:
        by_machine.setdefault(_id(each), []).append(each)
    if source.machine is not None:
        if source.machine not in by_machine:
            message = unknown("machine", source.machine, by_machine)
            raise StoredError(f"{KEY}.machine", message)
        return by_machine[source.machine]
    if here.id not in by_machine:
        others = "; ".join(f"{name} ({_words(each[0])})" for name, each in by_machine.items())
        raise StoredError(
            KEY,
            f"{source.experiment} was calibrated on another machine: {others}; this one is "
            f"{here.id} ({here.cpu}, {here.processors} processors). machine: "
            f"{next(iter(by_machine))} uses it nevertheless",
        )
    return by_machine[here.id]


def _machine(calibration: Mapping[str, object]) -> Mapping[str, object]:
    return cast("Mapping[str, object]", calibration["machine"])


def _id(calibration: Mapping[str, object]) -> str:
    return str(_machine(calibration)["id"])


def _words(calibration: Mapping[str, object]) -> str:
    machine = _machine(calibration)
    return f"{machine['cpu']}, {machine['processors']} processors"
