"""From points to a plan: shards that still hold are kept, and only new points are packed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weft.config import Experiment
from weft.config.answer import parse_answer
from weft.config.names import column_names
from weft.config.sections import parse_figure
from weft.plan.keep import Earlier, LookUp, Status, kept_shards
from weft.plan.model import Plan, Point, Shard
from weft.plan.pack import Packing, pack

ShardStatus = LookUp | Mapping[str, Status]


def read_shard_status(results_dir: Path, experiment: str) -> LookUp:
    """A look-up of `status.json` below `results_dir`; None for a shard that never ended."""

    def look_up(shard: Shard) -> Status | None:
        folder = results_dir / experiment / shard.engine / shard.shard_id
        try:
            status: Status = json.loads((folder / "status.json").read_text())
        except (FileNotFoundError, NotADirectoryError, json.JSONDecodeError):
            return None
        return status

    return look_up


def build_plan(
    experiment: Experiment,
    points: Sequence[Point],
    versions: Mapping[str, str],
    previous: Plan | None = None,
    shard_status: ShardStatus | None = None,
    packing: Packing | None = None,
    earlier: Earlier | None = None,
) -> Plan:
    """Assign every point to one shard that computes it.

    Shards of `previous`, and of `earlier` plans, stay when their engine has the version in
    `versions` and a point of theirs is still planned; those that `shard_status` knows not to have
    ended stay only when all their points are. `packing` decides how many points a new shard gets.
    Raises KeyError when an engine has no version.
    """
    planned = frozenset(point.point_id for point in points)
    status = _status_function(shard_status)
    kept = kept_shards(planned, versions, status, previous.shards if previous else (), earlier)
    held = {point_id for shard in kept for point_id in shard.point_ids}
    new = [point for point in points if point.point_id not in held]
    packed = pack(experiment, new, versions, packing or Packing())
    return Plan(
        experiment=experiment.name,
        title=experiment.settings.title,
        question=experiment.settings.question,
        points=tuple(points),
        shards=(*kept, *packed),
        machine=experiment.machine,
        report=_report(experiment),
        overrides=experiment.overrides,
    )


def _status_function(given: ShardStatus | None) -> LookUp:
    if given is None:
        # Nothing is known, so every shard may hold results worth keeping.
        return lambda shard: {}
    if isinstance(given, Mapping):
        return lambda shard: given.get(shard.shard_id)
    return given


def _report(experiment: Experiment) -> dict[str, Any]:
    names = column_names(experiment)
    figures = []
    for entry in experiment.settings.figures:
        figure, _ = parse_figure(entry, "figures")
        if figure is not None:
            fields = figure.model_dump(exclude_none=True)
            for axis in (set(figure.keys()) - {"where"}) & set(fields):
                fields[axis] = _columns(names, fields[axis])
            fields["where"] = {names[key]: value for key, value in figure.where.items()}
            figures.append({next(iter(entry)): fields})
    # A list, because the first variant that fits names a point and a plan sorts its keys.
    variants = [
        [name, {names[key]: value for key, value in settings.items()}]
        for name, settings in experiment.report.get("variants", {}).items()
    ]
    shown = {**experiment.report, "variants": variants, "engines": _engine_facts(experiment)}
    answer = _questions(experiment, names)
    return {"paper": experiment.settings.paper, "figures": figures, "answer": answer, **shown}


def _questions(experiment: Experiment, names: Mapping[str, str]) -> list[dict[str, Any]]:
    found = []
    for _, kind, asked in parse_answer(experiment.settings.answer)[0]:
        fields = {"kind": kind, **asked.model_dump(exclude_none=True)}
        for field, keys in asked.keys().items():
            columns = [names[key] for key in keys]
            fields[field] = columns[0] if field == "over" else columns
        fields["where"] = {names[key]: value for key, value in asked.where.items()}
        found.append(fields)
    return found


def _engine_facts(experiment: Experiment) -> dict[str, Any]:
    """What reports say about the engines, as they declare it."""
    asked = {name: experiment.declared[name] for name in experiment.engines}
    return {
        name: {
            "fidelity": engine.fidelity,
            "leaves_out": [[each.text, each.when] for each in engine.capabilities.leaves_out],
        }
        for name, engine in asked.items()
    }


def _columns(names: Mapping[str, str], keys: str | list[str]) -> str | list[str]:
    return names[keys] if isinstance(keys, str) else [names[key] for key in keys]


@dataclass(frozen=True, slots=True)
class EngineSummary:
    """What a plan means for one engine: `new` points have no outcome yet, `cached` are done.

    `skipped` points have none either, for want of a program that the machine lacks. `flagged` ones
    are done, on a machine that was too busy, and not among the `cached`.
    """

    experiment: str
    engine: str
    points: int
    shards: int
    new: int
    cached: int
    failed: int
    skipped: int
    flagged: int


def summarise(plan: Plan, results_dir: Path) -> list[EngineSummary]:
    """One row for each engine of the plan, by the outcomes found below `results_dir`."""
    look_up = read_shard_status(results_dir, plan.experiment)
    outcomes = {shard.shard_id: look_up(shard) or {} for shard in plan.shards}
    owners = plan.owners()
    rows = []
    for engine in dict.fromkeys(point.engine for point in plan.points):
        ids = [point.point_id for point in plan.points if point.engine == engine]
        done = {i for o in outcomes.values() for i in o.get("done", ())}
        lost = {i for i in ids if i in outcomes[owners[i]].get("failed", ())}
        skipped = {i for i in ids if i in outcomes[owners[i]].get("skipped", ())}
        flagged = {i for i in ids if i in outcomes[owners[i]].get("flagged", ())}
        others = lost | skipped | flagged
        cached = sum(1 for i in ids if i in done and i not in others)
        shards = sum(1 for shard in plan.shards if shard.engine == engine)
        new = len(ids) - cached - len(others)
        counts = (len(ids), shards, new, cached, len(lost), len(skipped), len(flagged))
        rows.append(EngineSummary(plan.experiment, engine, *counts))
    return rows
