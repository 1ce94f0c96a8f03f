"""Link parameters fitted from a measured ping-pong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import lsq_linear

from weft.analysis.no_pingpong import no_pingpong
from weft.tables.storage import read_table

METRIC = "one_way_time_s"


@dataclass(frozen=True, slots=True)
class Hockney:
    """Hockney's line `time = latency + bytes / bandwidth`, and how well it fits.

    `relative_residual_rms` is the root mean square of (line - measured) / measured; `worst_ratio`
    is the largest factor, at least 1, between the line and a measured time.
    """

    latency_s: float
    bandwidth_bytes_per_s: float
    relative_residual_rms: float
    worst_ratio: float
    fitted_points: int

    def time_s(self, message_bytes: float) -> float:
        """What the line says a message takes."""
        return self.latency_s + message_bytes / self.bandwidth_bytes_per_s


def fit_pingpong(message_bytes: Sequence[int], times_s: Sequence[float]) -> Hockney:
    """Fit Hockney's line by least squares of the relative residuals.

    Relative, because times span decades and every size shall count the same; latency and the time
    per byte are kept at 0 or above. Raises ValueError for data that determine no line.
    """
    sizes = np.asarray(message_bytes, dtype=np.float64)
    times = np.asarray(times_s, dtype=np.float64)
    _check(sizes, times)
    weighted = np.column_stack((1 / times, sizes / times))
    scale = weighted.max(axis=0)
    found = lsq_linear(weighted / scale, np.ones_like(times), bounds=(0, np.inf), method="bvls")
    latency, per_byte = (float(value) for value in found.x / scale)
    if per_byte * float(sizes.max()) < 1e-6 * float(times.max()):
        raise ValueError("the times do not grow with the message size, so no bandwidth follows")
    ratios = (latency + per_byte * sizes) / times
    return Hockney(
        latency_s=latency,
        bandwidth_bytes_per_s=1 / per_byte,
        relative_residual_rms=float(np.sqrt(np.mean((ratios - 1) ** 2))),
        worst_ratio=_worst(ratios),
        fitted_points=int(times.size),
    )


def _worst(ratios: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    with np.errstate(divide="ignore"):
        return float(np.max(np.maximum(ratios, 1 / ratios)))


def _check(
    sizes: np.ndarray[tuple[int], np.dtype[np.float64]],
    times: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> None:
    if sizes.shape != times.shape or sizes.ndim != 1:
        raise ValueError(f"{sizes.size} message sizes do not go with {times.size} times")
    if not (np.isfinite(times).all() and (times > 0).all()):
        raise ValueError("a fit needs times that are finite and above 0")
    if not (np.isfinite(sizes).all() and (sizes >= 0).all()):
        raise ValueError("a fit needs message sizes that are finite and not negative")
    if np.unique(sizes).size < 2:
        raise ValueError("a line needs times at two message sizes at least")


def calibrate(metrics: Sequence[Path], output: Path, point_id: str | None = None) -> Hockney:
    """Fit the ping-pong found in `metrics` tables and write the link parameters to `output`.

    Without `point_id` the first point that has one-way times is taken. Raises ValueError when
    there is none or its times determine no line.
    """
    rows = [row for path in metrics for row in read_table("metrics", path).to_pylist()]
    rows = [row for row in rows if row["metric"] == METRIC and row["message_bytes"] is not None]
    chosen = point_id or min((row["point_id"] for row in rows), default=None)
    rows = sorted((r for r in rows if r["point_id"] == chosen), key=lambda r: r["message_bytes"])
    if not rows:
        raise ValueError(no_pingpong(metrics, METRIC))
    fit = fit_pingpong([r["message_bytes"] for r in rows], [r["value"] for r in rows])
    text = json.dumps({**asdict(fit), "source_point_id": chosen}, indent=1, sort_keys=True)
    output.parent.mkdir(parents=True, exist_ok=True)
    unfinished = output.with_name(output.name + ".tmp")
    unfinished.write_text(text + "\n")
    unfinished.replace(output)
    return fit
