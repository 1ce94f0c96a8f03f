"""The plans as the plain values that rules look up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weft.engines import engine, engine_names
from weft.plan.model import Plan, Shard, needs_calibration, short_digest
from weft.prepare.request import Request


@dataclass(frozen=True, slots=True)
class Schedule:
    """What the rules need to know.

    `lookup` holds per experiment the `status` files of its shards, the metrics that were
    `measured`, the `calibration` file by shard, and a digest of its `points`.
    """

    experiments: tuple[str, ...]
    papers: Mapping[str, tuple[str, ...]]
    lookup: Mapping[str, Mapping[str, Any]]

    @property
    def simulators(self) -> str:
        """A pattern of the simulating engines' names."""
        return "|".join(engine_names("simulator"))

    @property
    def reports(self) -> list[str]:
        """The reports of all experiments asked for."""
        return [f"reports/{name}.html" for name in self.experiments]

    @property
    def paper_reports(self) -> list[str]:
        """The reports of all papers asked for."""
        return [f"reports/paper_{name}.html" for name in self.papers]


def schedule(
    plans: Iterable[Plan],
    results: Path,
    papers: Mapping[str, tuple[str, ...]],
    request: Request,
) -> Schedule:
    """The schedule of `plans`; with `request.partial` only of what is finished."""
    lookup = {plan.experiment: _lookup(plan, results, request.partial) for plan in plans}
    of_papers = {
        paper: {"plans": [str(results / n / "plan.json") for n in names]}
        | {"collected": [str(results / n / "collected.json") for n in names]}
        for paper, names in papers.items()
    }
    return Schedule(tuple(lookup), papers, {**lookup, "papers": of_papers})


def _lookup(plan: Plan, results: Path, partial: bool) -> dict[str, Any]:
    folder = results / plan.experiment
    shards = [s for s in plan.shards if not partial or _finished(folder, s)]
    return {
        "status": [f"{_folder(folder, shard)}/status.json" for shard in shards],
        "measured": [
            f"{_folder(folder, shard)}/metrics.parquet"
            for shard in shards
            if engine(shard.engine).kind == "hardware"
        ],
        "calibration": {
            shard.shard_id: f"{folder}/calibration.json" for shard in _calibrated(plan)
        },
        "points": short_digest([[p.point_id, p.coordinates, p.replicate] for p in plan.points]),
    }


def _folder(folder: Path, shard: Shard) -> Path:
    return folder / shard.engine / shard.shard_id


def _finished(folder: Path, shard: Shard) -> bool:
    return (_folder(folder, shard) / "status.json").exists()


def _calibrated(plan: Plan) -> list[Shard]:
    wanted = {point.point_id for point in plan.points if needs_calibration(point.spec)}
    return [shard for shard in plan.shards if not wanted.isdisjoint(shard.point_ids)]
