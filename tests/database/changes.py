"""Experiments that change at random, for collections of them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
from weft.plan.model import Point, Shard
from weft.plan.outcome import write_outcome
from weft.plan.plan import Plan
from weft.plan.points import Points
from weft.plan.stored import write_plan
from weft.tables import write_table

#: What a parameter may be: one kind, several, none at all.
KINDS = {
    "int": [1, 2, 3], "float": [0.5, 1e-9], "both": [1, 0.5], "text": ["a", "2"], "bool": [True],
    "list": [[2, 3], [4]], "mixed": [1, "a", [True]], "none": [None], "some": [None, 3],
    "large": [2**53 + 1, 7],
}  # fmt: skip
KEYS = ("topology.k", "network.latency_s", "options.fast", "options.sizes", "workload.n")


def finish(
    results: Path, name: str, points: list[Point], value: float = 1.5, rows: int = 1
) -> None:
    """An experiment with one finished shard, which has `rows` metrics of each point."""
    ids = [point.point_id for point in points]
    shard = Shard("5" * 12, "flow", "1", tuple(ids))
    plan = Plan(name, name, "?", Points.of(points), (shard,))
    write_plan(plan, results / name / "plan.json")
    folder = results / name / "flow" / shard.shard_id
    folder.mkdir(parents=True, exist_ok=True)
    runs = [{"point_id": i, "attempt": 1, "engine": "flow", "status": "done"} for i in ids]
    write_table("runs", runs, folder / "runs.parquet")
    noise = np.random.default_rng(1).random(len(ids) * rows)
    metrics = {"point_id": np.repeat(ids, rows), "metric": ["makespan_s"] * len(noise),
               "message_bytes": pa.nulls(len(noise), pa.int64()), "value": noise + value,
               "unit": ["s"] * len(noise), "flag": pa.nulls(len(noise), pa.string())}  # fmt: skip
    write_table("metrics", pa.table(metrics), folder / "metrics.parquet")
    write_outcome(folder, {"done": ids}, None)


def simple_points(count: int) -> list[Point]:
    """Points that differ in one parameter."""
    return [
        Point(f"{k:012x}", "flow", 0, 1, {"topology": {"k": k}}, {"topology.k": k})
        for k in range(count)
    ]


def random_points(dice: random.Random) -> list[Point]:
    """Some points, with some of the parameters, each of some kind of values."""
    kinds = {key: dice.choice(list(KINDS.values())) for key in KEYS if dice.random() < 0.6}
    # Of one experiment alone, so that its column goes with it.
    kinds[f"options.rare_{dice.randrange(100)}"] = KINDS["int"]
    found = []
    for number in range(dice.randint(1, 6)):
        spec: dict[str, dict[str, object]] = {}
        coordinates = {}
        for key, values in kinds.items():
            part, _, name = key.partition(".")
            if dice.random() < 0.8:
                spec.setdefault(part, {})[name] = dice.choice(values)
            if dice.random() < 0.3:
                coordinates[key] = dice.choice(values)
        found.append(Point(f"{number:012x}", "flow", 0, number, spec, coordinates))
    return found


def change(dice: random.Random, results: Path) -> str:
    """Add or change an experiment, perhaps after another one was removed; returns its name."""
    there = sorted(path.name for path in results.glob("*/"))
    if len(there) > 2 and dice.random() < 0.4:
        shutil.rmtree(results / there.pop(dice.randrange(len(there))))
    name = dice.choice(["a", "a@quick", "b", "c'd", "e"])
    finish(results, name, random_points(dice), value=dice.random())
    return name
