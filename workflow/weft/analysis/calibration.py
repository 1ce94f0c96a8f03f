"""What a measured ping-pong says of a machine: a line, LogGP and curves, or why there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from weft.analysis.curve import FittedCurve, TooFewSizesError, fit_curve
from weft.analysis.hockney import Hockney, NoLineError, fit_pingpong
from weft.analysis.loggp import loggp_of
from weft.analysis.network_costs import costs_of
from weft.analysis.no_pingpong import no_pingpong
from weft.analysis.pingpongs import METRICS, Pingpong, Placement, pingpongs
from weft.files.calibrations import stored_calibration, write_calibration
from weft.files.layout import ExperimentFolder

#: What to do where the measurement was no good.
AGAIN = "measure again on a quieter machine with --config retry_flagged=true"


def calibrate(metrics: Sequence[Path], output: Path, point_id: str | None = None) -> Hockney | None:
    """Fit the ping-pongs found in `metrics` tables and write what follows to `output`, and beside
    it under the machine and the date.

    Without `point_id` the first ping-pong of each placement is taken, with all its repetitions. A
    fit stops no experiment: where there is no ping-pong, or no line follows from it, `output` holds
    the reason under `problem`, and the result is None. Raises ValueError for a damaged table.
    """
    found = pingpongs(metrics, point_id)
    measured = found.get("between_nodes") or found.get("inside_node")
    if measured is None:
        _write(output, {"problem": no_pingpong(metrics, METRICS["one_way"])})
        return None
    source: dict[str, object] = {"source_point_id": measured.point_ids[0]}
    one_way = measured.times[METRICS["one_way"]]
    try:
        line = fit_pingpong([size for size, _ in one_way], [time for _, time in one_way])
    except NoLineError as error:
        problem = f"the measured ping-pong gives no link parameters: {error}; {AGAIN}"
        _write(output, {"problem": problem, **source})
        return None
    source["fitted_to"] = {
        metric: sorted({size for each in found.values() for size, _ in each.times.get(metric, ())})
        for metric in METRICS.values()
        if any(metric in each.times for each in found.values())
    }
    content = {**asdict(line), **source, **_curves(found, line), **_identity(output, measured)}
    _write(output, content)
    if measured.machine and measured.date:
        folder = ExperimentFolder.of_plan(output)
        _write(stored_calibration(folder, measured.machine.id, measured.date), content)
    return line


def _curves(found: Mapping[Placement, Pingpong], line: Hockney) -> dict[str, object]:
    """The fitted curves by placement, the network that follows from them, and what is to be known
    of them."""
    warnings: list[str] = []
    curves = {placement: _fitted(each, placement, warnings) for placement, each in found.items()}
    curves = {placement: each for placement, each in curves.items() if "one_way" in each}
    if not curves:
        return {"warnings": warnings}
    if "between_nodes" not in curves:
        warnings.append(
            "one node was measured, so links between nodes have the times of its memory"
        )
    first = curves.get("between_nodes") or curves["inside_node"]
    loggp = loggp_of(line, first.get("two_way"), first.get("gap"))
    costs = costs_of(curves, loggp)
    plain = {p: {name: asdict(curve) for name, curve in each.items()} for p, each in curves.items()}
    return {"curves": plain, "loggp": asdict(loggp), "costs": costs, "warnings": warnings}


def _fitted(
    pingpong: Pingpong, placement: Placement, warnings: list[str]
) -> dict[str, FittedCurve]:
    where = placement.replace("_", " ")
    if pingpong.flagged:
        warnings.append(f"{where}: {pingpong.flagged} values were measured on a busy machine")
    found: dict[str, FittedCurve] = {}
    for name, metric in METRICS.items():
        timed = pingpong.times.get(metric, ())
        if not timed:
            continue
        sizes, times = [size for size, _ in timed], [time for _, time in timed]
        # Flows that share a link arrive together: a simulated stream may have no gap.
        if at_once := sorted({size for size, time in timed if time == 0}):
            named = ", ".join(f"{size} B" for size in at_once)
            warnings.append(f"{where}: no curve of {metric}, which is 0 s at {named}")
            continue
        try:
            curve = fit_curve(sizes, times, pingpong.resolution_s(metric))
        except TooFewSizesError as error:
            warnings.append(f"{where}: no curve of {metric}: {error}")
            continue
        found[name] = curve
        if curve.outliers_bytes:
            far = ", ".join(f"{size} B" for size in curve.outliers_bytes)
            warnings.append(f"{where}: {metric} leaves out these sizes as outliers: {far}")
        if min(sizes) > 0:
            warnings.append(f"{where}: 0 B was not measured, so its {metric} is extrapolated")
    return found


def _identity(output: Path, measured: Pingpong) -> dict[str, object]:
    if measured.machine is None:
        return {}
    machine = {**asdict(measured.machine), "id": measured.machine.id, "mpi": measured.mpi}
    experiment = ExperimentFolder.of_plan(output).name
    return {"experiment": experiment, "machine": machine, "date": measured.date}


def _write(output: Path, content: Mapping[str, object]) -> None:
    known = {key: value for key, value in content.items() if value is not None}
    write_calibration(output, known)
