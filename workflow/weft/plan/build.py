"""From points to a plan: shards that still hold are kept, and only new points are packed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from weft.config import Experiment
from weft.config.check.sections import parse_figure
from weft.config.model.answer import parse_answer
from weft.config.points.column_names import column_names
from weft.plan.keep import Earlier, LookUp, kept_shards
from weft.plan.model import Plan
from weft.plan.outcome import FLAGGED, OUTCOMES, ShardOutcome
from weft.plan.outcomes import Outcomes
from weft.plan.pack import Packing, pack
from weft.plan.points import Points

#: Where nothing is known, every shard may hold results worth keeping.
_UNKNOWN = ShardOutcome((), (), (), None, {}, "")


def build_plan(
    experiment: Experiment,
    points: Points,
    versions: Mapping[str, str],
    previous: Plan | None = None,
    outcomes: LookUp = lambda shard: _UNKNOWN,
    packing: Packing | None = None,
    earlier: Earlier | None = None,
) -> Plan:
    """Assign every point to one shard that computes it.

    Shards of `previous`, and of `earlier` plans, stay when their engine has the version in
    `versions` and a point of theirs is still planned; those that `outcomes` knows not to have
    ended stay only when all their points are. `packing` decides how many points a new shard gets.
    Raises KeyError when an engine has no version.
    """
    before = previous.shards if previous else ()
    kept, held = kept_shards(points, versions, outcomes, before, earlier)
    packed = pack(experiment, points, ~held, versions, packing or Packing())
    return Plan(
        experiment=experiment.name,
        title=experiment.settings.title,
        question=experiment.settings.question,
        points=points,
        shards=(*kept, *packed),
        machine=experiment.machine,
        report=_report(experiment),
        overrides=experiment.overrides,
    )


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
    look_up = Outcomes(results_dir / plan.experiment)
    points = plan.points
    numbers, size = points.codes("engine"), len(points.texts("engine"))
    ended = [outcome for shard in plan.shards if (outcome := look_up(shard))]
    counts = []
    for name in (*OUTCOMES, FLAGGED):
        places = points.places([i for outcome in ended for i in getattr(outcome, name)])
        counts.append(np.bincount(numbers[places[places >= 0]], minlength=size).tolist())
    planned = np.bincount(numbers, minlength=size).tolist()
    rows = []
    for engine in points.engines:
        number = points.number("engine", engine)
        done, failed, skipped, flagged = (count[number] for count in counts)
        shards = sum(shard.engine == engine for shard in plan.shards)
        new = planned[number] - done - failed - skipped
        found = (planned[number], shards, new, done - flagged, failed, skipped, flagged)
        rows.append(EngineSummary(plan.experiment, engine, *found))
    return rows
