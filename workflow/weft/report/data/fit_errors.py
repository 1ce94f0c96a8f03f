"""How far predictions may be off as a whole, because the network was fitted from a ping-pong."""

from __future__ import annotations

import json

from weft.report.data.source import Study, Where

#: The key that points on a fitted network have.
FITTED = "network.calibrated_from"


#: What the network says nothing about, although it is a time.
_COST = ("wall_s", "cpu_s")
_PREDICTED = ("s", "B/s")


def fit_error(study: Study, metric: str) -> float:
    """The root mean square of the fit's relative residuals; 0 where nothing was fitted, and for
    metrics that are no predicted time or rate."""
    path = study.folder.calibration
    if metric in _COST or study.metrics[metric].unit not in _PREDICTED or not path.is_file():
        return 0.0
    return float(json.loads(path.read_text()).get("relative_residual_rms") or 0.0)


def error_of(study: Study, metric: str, where: Where) -> float:
    """What `fit_error` says of the points `where`, if all of them are on the fitted network."""
    if FITTED not in study.values:
        return 0.0
    chosen = study.chosen(where)
    fitted = bool(chosen) and all(settings.get(FITTED) for settings in chosen)
    return fit_error(study, metric) if fitted else 0.0
