"""How far predictions may be off as a whole, because the network was fitted from a ping-pong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from weft.analysis.pingpongs import METRICS
from weft.config.model.declaration import FIDELITIES
from weft.files.calibrations import read_calibration, residuals_of
from weft.report.data.aggregates import Settings
from weft.report.data.axes import SIZE
from weft.report.data.source import Study, Where

#: The key that points on a network have that this experiment fits.
FITTED = "network.calibrated_from"
#: Those on a network of a stored or exported calibration.
LINE, CURVE = "network.residuals.line", "network.residuals.curve"
#: Every key that decides how far a prediction may be off.
KEYS = (FITTED, LINE, CURVE)

#: What the network says nothing about, although it is a time.
_COST = ("wall_s", "cpu_s")
_PREDICTED = ("s", "B/s")


def is_predicted(study: Study, metric: str) -> bool:
    """Whether `metric` is a predicted time or rate, and no cost of the prediction."""
    return metric not in _COST and study.metrics[metric].unit in _PREDICTED


def fit_error(study: Study, metric: str, settings: Settings) -> float:
    """The root mean square of the relative residuals of the fit that a point with these `settings`
    uses: a line in closed forms, else the curve of messages one way, if there is one.

    0 where nothing was fitted, and for metrics that are no predicted time or rate.
    """
    if not is_predicted(study, metric):
        return 0.0
    residuals = _residuals(study, settings)
    if not residuals:
        return 0.0
    return residuals[_used(study, str(settings["engine"]), residuals)]


def fits_used(study: Study, residuals: Mapping[str, float]) -> frozenset[str]:
    """Which of these fits, `line` and `curve`, an engine of the study uses."""
    return frozenset(_used(study, engine, residuals) for engine in study.engines)


def _used(study: Study, engine: str, residuals: Mapping[str, float]) -> str:
    facts = study.plan.report.engines.get(engine)
    is_closed_form = facts is not None and facts.fidelity == FIDELITIES[0]
    return "line" if "curve" not in residuals or is_closed_form else "curve"


def _residuals(study: Study, settings: Settings) -> Mapping[str, float]:
    if settings.get(FITTED):
        path = study.folder.calibration
        return residuals_of(read_calibration(path)) if path.is_file() else {}
    found = {"line": settings.get(LINE), "curve": settings.get(CURVE)}
    return {key: cast("float", value) for key, value in found.items() if value is not None}


def seen_bytes(study: Study, metric: str) -> frozenset[int]:
    """The sizes at which the fit of this experiment has used this metric."""
    path = study.folder.calibration
    if not path.is_file():
        return frozenset()
    calibration = read_calibration(path)
    curves = calibration.get("curves", {}).values()
    used = (curve for each in curves for key, curve in each.items() if METRICS.get(key) == metric)
    sizes = (size for curve in used for size in curve["message_bytes"])
    return frozenset([*sizes, *calibration.get("fitted_to", {}).get(metric, ())])


def is_fitted(study: Study, metric: str, engine: str, coordinates: Where) -> bool:
    """Whether the network of `engine` was fitted to `metric` at these coordinates, so that an
    answer there is no prediction. Of a stored calibration the sizes are not known: all count."""
    if metric not in METRICS.values() or not keys_of_fits(study):
        return False
    there = {key: value for key, value in coordinates.items() if key != SIZE}
    chosen = study.chosen({**there, "engine": engine})
    if any(settings.get(FITTED) for settings in chosen):
        return coordinates.get(SIZE) in seen_bytes(study, metric)
    return any(settings.get(key) is not None for settings in chosen for key in (LINE, CURVE))


def keys_of_fits(study: Study) -> list[str]:
    """Those of `KEYS` that points of the study have."""
    return [key for key in KEYS if key in study.values]


def error_of(study: Study, metric: str, where: Where) -> float:
    """The largest `fit_error` of the points `where`, if all of them are on fitted networks."""
    if not keys_of_fits(study):
        return 0.0
    chosen = study.chosen(where)
    if not chosen or not all(_residuals(study, settings) for settings in chosen):
        return 0.0
    return max(fit_error(study, metric, settings) for settings in chosen)
