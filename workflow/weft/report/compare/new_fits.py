"""Predictions of two runs that each fitted the network: a new fit is no change of a model."""

from __future__ import annotations

from weft.files import JsonObject
from weft.files.calibrations import read_calibration
from weft.report.compare.changes import Compared
from weft.report.data.fidelity import MACHINE, fidelity
from weft.report.data.fit_errors import FITTED
from weft.report.data.source import Study
from weft.report.data.units import counted, listing, quantity

#: The parameters of links that a fit gives, with their units.
_PARAMETERS = {"latency_s": ("latency", "s"), "bandwidth_bytes_per_s": ("bandwidth", "B/s")}


def new_fit_sentences(a: Study, b: Study, found: Compared) -> list[str]:
    """That predictions on the fitted network differ because the fits do; nothing where one run
    has no fit, or both have the same one."""
    fits = [_fit(study) for study in (a, b)]
    engines = [each for each in _fitted(a) if each in _fitted(b)]
    if not engines or None in fits or fits[0] == fits[1]:
        return []
    on_fit = [pair for pair in found.changes if pair.coordinates["engine"] in engines]
    of_all = f"{len(on_fit):,} of {counted(len(found.changes), 'changed value')}"
    count = f"; {of_all} {'is' if len(on_fit) == 1 else 'are'} theirs" if on_fit else ""
    return [
        f"Each run fitted the network anew{_parameters(fits)}. So predictions of"
        f" {listing(engines)} differ even if the models are the same{count}."
    ]


def _fit(study: Study) -> JsonObject | None:
    path = study.folder.calibration
    return read_calibration(path) if path.is_file() else None


def _fitted(study: Study) -> list[str]:
    """The engines that predict on the network that the run fits."""
    found = {str(each["engine"]) for each in study.settings if each.get(FITTED)}
    return [e for e in study.engines if e in found and fidelity(study, e) != MACHINE]


def _parameters(fits: list[JsonObject | None]) -> str:
    """` (latency 400 ns → 410 ns)`: what differs of the links."""
    parts = []
    for key, (name, unit) in _PARAMETERS.items():
        texts = [quantity(fit[key], unit) for fit in fits if fit and key in fit]
        if len(set(texts)) == len(fits):
            parts.append(f"{name} {' → '.join(texts)}")
    return f" ({', '.join(parts)})" if parts else ""
