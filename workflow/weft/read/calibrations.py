"""Calibrations that experiments have stored: listed, compared and exported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import yaml

from weft.config.language.errors import unknown
from weft.config.points.stored_network import network_of
from weft.files.calibrations import all_calibrations, no_fit, read_stored
from weft.files.layout import Layout, Results
from weft.read.errors import ReadError
from weft.read.project import Project
from weft.report.data.units import quantity

#: Sizes at which calibrations are compared.
COMPARED = (0, 1024, 16_384, 262_144, 4_194_304)


@dataclass(frozen=True, slots=True)
class StoredFit:
    """One calibration by experiment, machine and date; `content` is the file's."""

    experiment: str
    machine: str
    date: str
    content: Mapping[str, object]

    def seconds(self, message_bytes: int) -> float:
        """One way, by the curve between nodes, or by the line where there is none."""
        costs = cast("Mapping[str, Mapping[str, object]]", self.content.get("costs", {}))
        pieces = cast(
            "list[Mapping[str, float]]", costs.get("between_nodes", {}).get("one_way", [])
        )
        chosen = [piece for piece in pieces if piece["from_bytes"] <= message_bytes]
        if chosen:
            beyond = message_bytes - chosen[-1]["from_bytes"]
            return chosen[-1]["time_s"] + beyond * chosen[-1]["byte_time_s"]
        rate = cast("float", self.content["bandwidth_bytes_per_s"])
        return cast("float", self.content["latency_s"]) + message_bytes / rate


def stored_fits(project: Project, experiment: str | None = None) -> list[StoredFit]:
    """All of the project, or those of one experiment, the newest last.

    Raises ReadError for an experiment that has none.
    """
    results = Layout(project.root).results
    found = []
    for name, path in all_calibrations(results):
        try:
            content = read_stored(path)
        except ValueError as error:
            raise ReadError(str(error)) from error
        machine = str(content["machine"]["id"])
        found.append(StoredFit(name, machine, str(content["date"]), content))
    if experiment is None:
        return sorted(found, key=lambda each: each.date)
    of_one = [each for each in found if each.experiment == experiment]
    if not of_one:
        raise ReadError(_why_none(results, experiment, {each.experiment for each in found}))
    return sorted(of_one, key=lambda each: each.date)


def _why_none(results: Results, experiment: str, names: set[str]) -> str:
    try:
        why = no_fit(results.experiment(experiment))
    except ValueError as error:
        return str(error)
    return why or unknown("experiment with a calibration", experiment, names)


def exported(fit: StoredFit) -> str:
    """The fit as a file of `configs/network/`."""
    machine = cast("Mapping[str, object]", fit.content["machine"])
    head = [
        "# yaml-language-server: $schema=../schema/network.schema.json",
        f"# Measured by {fit.experiment} on {fit.date[:10]}, machine {fit.machine}:",
        f"# {machine['cpu']}, {machine['processors']} processors, {_mpi(fit)}.",
    ]
    head += [f"# {line}." for line in cast("list[str]", fit.content.get("warnings", []))]
    body = yaml.safe_dump(network_of(fit.content), sort_keys=False)
    return "\n".join(head) + "\n" + body


def _mpi(fit: StoredFit) -> str:
    machine = cast("Mapping[str, object]", fit.content["machine"])
    return str(machine.get("mpi") or "MPI unknown")


def fit_lines(fits: Sequence[StoredFit]) -> Iterator[str]:
    """Two lines for each: what it is, and its numbers."""
    if not fits:
        yield "No experiment has stored a calibration yet; see docs/calibration.md."
    for fit in fits:
        machine = cast("Mapping[str, object]", fit.content["machine"])
        yield (
            f"{fit.experiment}  machine {fit.machine}  {fit.date[:19]}  {machine['cpu']}, "
            f"{machine['processors']} processors, {_mpi(fit)}"
        )
        latency = quantity(cast("float", fit.content["latency_s"]), "s")
        rate = quantity(cast("float", fit.content["bandwidth_bytes_per_s"]), "B/s")
        yield f"  {latency} and {rate} ({fit.content.get('confidence', 'unknown')} line)"


def comparison_lines(fits: Sequence[StoredFit]) -> Iterator[str]:
    """The time of one way at a few sizes, each with its factor to the first fit's."""
    yield "  ".join(["machine   date               ", *(f"{size:>9} B      " for size in COMPARED)])
    for fit in fits:
        cells = []
        for size in COMPARED:
            time = quantity(fit.seconds(size), "s")
            cells.append(f"{time:>9} ×{fit.seconds(size) / fits[0].seconds(size):<5.2f}")
        yield "  ".join([f"{fit.machine}  {fit.date[:19]}", *cells])
