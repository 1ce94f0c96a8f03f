"""How far predictions may be off as a whole, because the network was fitted from a ping-pong."""

from __future__ import annotations

import json

from weft.report.data.source import Study, Where

#: The key that points on a fitted network have.
FITTED = "network.calibrated_from"


def fit_error(study: Study) -> float:
    """The root mean square of the fit's relative residuals; 0 where nothing was fitted."""
    path = study.folder.calibration
    if not path.is_file():
        return 0.0
    return float(json.loads(path.read_text()).get("relative_residual_rms") or 0.0)


def error_of(study: Study, where: Where) -> float:
    """What `fit_error` says of the points `where`, if all of them are on the fitted network."""
    chosen = study.chosen(where)
    fitted = bool(chosen) and all(settings.get(FITTED) for settings in chosen)
    return fit_error(study) if fitted else 0.0
