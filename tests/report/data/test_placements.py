"""A measurement stands beside every placement, and random placements show how far they spread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from report_samples import CONFIGS, make_plan, point, run
from report_samples import write as stored
from weft.report.curves.rows import FigureData, figure_data
from weft.report.data.source import open_study

PLACEMENT = "workload.placement"
TIMES_US = {"measured": (5.0, 5.0, 5.0), "random": (1.0, 2.0, 9.0)}


def drawn(folder: Path, figure: dict[str, Any]) -> FigureData:
    """Flow at both placements with three replicates, and a measurement, which has no placement."""
    points, metrics = [], []
    for placement, times in TIMES_US.items():
        for seed, time in enumerate(times):
            spec = {"options": {"rank_to_node": placement}}
            at = point("flow", {PLACEMENT: placement}, spec, seed)
            points.append(at)
            metrics.append((at, time))
    machine = point("hardware", {}, {"options": {}})
    points.append(machine)
    metrics.append((machine, 6.0))
    common = {"experiment": "placed", "metric": "program_time_s", "unit": "s"}
    rows = [
        {**common, "point_id": at.point_id, "message_bytes": 64, "value": time * 1e-6}
        for at, time in metrics
    ]
    samples = [
        {**common, "point_id": machine.point_id, "message_bytes": 64, "repetition": n, "value": v}
        for n, v in enumerate((5e-6, 6e-6, 7e-6))
    ]
    plan = make_plan("placed", points, [{"line": {"y": "program_time_s", **figure}}])
    runs = [{"experiment": "placed", **run(at)} for at in points]
    tables = {"metrics": rows, "runs": runs, "samples": samples}
    database = stored(folder, [plan], tables)
    with open_study(folder / "results/placed/plan.json", database, CONFIGS) as study:
        return figure_data(study, study.plan.report.figures[0])


def bands(data: FigureData) -> dict[tuple[str, object], tuple[object, ...]]:
    us = 1e6
    return {
        (row.series, row.x): (
            round(row.y * us, 6),
            *(None if end is None else round(end * us, 6) for end in (row.low, row.high)),
        )
        for row in data.rows
    }


@pytest.mark.slow
def test_a_measurement_stands_beside_every_placement(tmp_path: Path) -> None:
    found = bands(drawn(tmp_path, {"x": PLACEMENT}))
    assert found["hardware", "measured"] == found["hardware", "random"] == (6.0, 5.5, 6.5)


@pytest.mark.slow
@pytest.mark.parametrize("figure", [{"x": PLACEMENT}, {"x": "message_bytes", "color": PLACEMENT}])
def test_random_placements_reach_from_the_lowest_to_the_highest(
    tmp_path: Path, figure: dict[str, str]
) -> None:
    data = drawn(tmp_path, figure)
    (random,) = (band for where, band in bands(data).items() if band[0] == 4.0)
    assert random == (4.0, 1.0, 9.0)
    words = "Bands of random placements reach from the lowest to the highest of all draws."
    assert words in data.notes
    assert not [note for note in data.notes if "confidence" in note]
