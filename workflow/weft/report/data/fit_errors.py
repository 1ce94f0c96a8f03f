"""How far predictions may be off as a whole, because the network was fitted from a ping-pong."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from statistics import fmean

from weft.config.model.declaration import FIDELITIES
from weft.report.data.source import Study, Where

#: The key that points on a fitted network have.
FITTED = "network.calibrated_from"


#: What the network says nothing about, although it is a time.
_COST = ("wall_s", "cpu_s")
_PREDICTED = ("s", "B/s")


def fit_error(study: Study, metric: str, engine: str) -> float:
    """The root mean square of the relative residuals of the fit that `engine` uses: a line in
    closed forms, else the curve of messages one way, if there is one.

    0 where nothing was fitted, and for metrics that are no predicted time or rate.
    """
    path = study.folder.calibration
    if metric in _COST or study.metrics[metric].unit not in _PREDICTED or not path.is_file():
        return 0.0
    fitted = json.loads(path.read_text())
    curves = [place["one_way"] for place in fitted.get("curves", {}).values() if "one_way" in place]
    facts = study.plan.report.engines.get(engine)
    if not curves or (facts and facts.fidelity == FIDELITIES[0]):
        return float(fitted.get("relative_residual_rms") or 0.0)
    return max(_rms(curve["residuals"]) for curve in curves)


def _rms(residuals: Sequence[float]) -> float:
    return math.sqrt(fmean(each**2 for each in residuals)) if residuals else 0.0


def error_of(study: Study, metric: str, where: Where) -> float:
    """The largest `fit_error` of the points `where`, if all of them are on the fitted network."""
    if FITTED not in study.values:
        return 0.0
    chosen = study.chosen(where)
    if not chosen or not all(settings.get(FITTED) for settings in chosen):
        return 0.0
    engines = {str(settings["engine"]) for settings in chosen}
    return max(fit_error(study, metric, engine) for engine in engines)
