"""From points to a plan: shards that still hold are kept, and only new points are packed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from weft.config import Experiment
from weft.config.language.flow_text import written
from weft.config.model.answer import AnswerRequest
from weft.config.model.engine import DeclaredEngine
from weft.config.model.expectation import AgreementExpected, Expectation
from weft.config.model.figure import Choice, Figure
from weft.config.model.report import ReportOptions
from weft.config.points.column_names import column_names
from weft.config.points.metric_givers import engines_giving, shared_metrics
from weft.plan.credits import Credits, credits_of, limit_sentence, notes
from weft.plan.keep import Earlier, LookUp, kept_shards
from weft.plan.model import Shard
from weft.plan.outcome import FLAGGED, OUTCOMES, ShardOutcome
from weft.plan.outcomes import Outcomes
from weft.plan.pack import Packing, as_packed, pack
from weft.plan.plan import Plan
from weft.plan.points import Points
from weft.plan.report import EngineFacts, PlannedExpectation, PlannedReport
from weft.plan.spec import PointSpec
from weft.plan.turnaround import Turnaround, turnaround_of, turnaround_sentence

Asked = TypeVar("Asked", Figure, AnswerRequest, Expectation)
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
    begun: Callable[[Shard], bool] = lambda shard: True,
) -> Plan:
    """Assign every point to one shard that computes it.

    Shards of `previous`, and of `earlier` plans, stay when their engine has the version in
    `versions` and a point of theirs is still planned; those that `outcomes` knows not to have
    ended stay only when all their points are. `packing` decides how many points a new shard gets,
    and a shard that has not `begun` stays only when it would be packed alike.
    Raises KeyError when an engine has no version.
    """
    before = previous.shards if previous else ()
    packing = packing or Packing()
    alike = as_packed(experiment, points, packing)

    def fits(shard: Shard, places: NDArray[np.int64]) -> bool:
        return alike(shard, places) or outcomes(shard) is not None or begun(shard)

    kept, held = kept_shards(points, versions, outcomes, before, earlier, fits)
    packed = pack(experiment, points, ~held, versions, packing)
    return Plan(
        experiment=experiment.name,
        title=experiment.settings.title,
        question=experiment.settings.question,
        points=points,
        shards=(*kept, *packed),
        machine=experiment.machine,
        stored_report=_report(experiment, points).stored(),
        overrides=experiment.overrides,
    )


def _report(experiment: Experiment, points: Points) -> PlannedReport:
    names = column_names(experiment)
    given = {name: getattr(experiment.report, name) for name in ReportOptions.model_fields}
    return PlannedReport(
        **given,
        paper=experiment.settings.paper,
        search_path=_own_folder(experiment),
        figures=tuple(_in_columns(each.asked, names) for each in experiment.figures),
        answer=tuple(_in_columns(each.asked, names) for each in experiment.questions),
        expect=tuple(
            _expected(experiment, each.asked, written(entry), names)
            for each, entry in zip(experiment.expectations, experiment.settings.expect, strict=True)
        ),
        variants=tuple(
            (name, _columns_of(settings, names))
            for name, settings in experiment.report.variants.items()
        ),
        engines={name: _facts(experiment.declared[name], points) for name in experiment.engines},
    )


def _expected(
    experiment: Experiment, asked: Expectation, text: str, names: Mapping[str, str]
) -> PlannedExpectation:
    metrics = [asked.of] if asked.of else []
    if isinstance(asked, AgreementExpected) and not metrics:
        metrics = shared_metrics(experiment, asked)
    named = [each for each in asked.engines().values() if each in experiment.engines]
    engines = named or [e for metric in metrics for e in engines_giving(experiment, metric)]
    return PlannedExpectation(
        written=text,
        statement=_in_columns(asked, names),
        engines=tuple(dict.fromkeys(engines)),
        metrics=tuple(metrics),
    )


def _own_folder(experiment: Experiment) -> str | None:
    experiments = experiment.file.absolute().parent
    folder = experiments.parent
    own = folder.resolve() != experiment.configs_dir.resolve()
    return str(folder) if own else None


def _in_columns(asked: Asked, names: Mapping[str, str]) -> Asked:
    """A figure, a question or an expectation, with the columns of the keys that it names."""
    given = {field: getattr(asked, field) for field in {*asked.keys(), "where"}}
    columns = {key: _columns(value, names) for key, value in given.items() if value is not None}
    return asked.model_copy(update=columns)


def _columns(
    keys: str | Sequence[str] | Mapping[str, Choice], names: Mapping[str, str]
) -> str | list[str] | dict[str, Choice]:
    if isinstance(keys, str):
        return names[keys]
    return _columns_of(keys, names) if isinstance(keys, Mapping) else [names[key] for key in keys]


def _columns_of(where: Mapping[str, Choice], names: Mapping[str, str]) -> dict[str, Choice]:
    return {names[key]: value for key, value in where.items()}


def _facts(engine: DeclaredEngine, points: Points) -> EngineFacts:
    omitted = tuple((each.text, each.when) for each in engine.capabilities.leaves_out)
    limits = (
        limit_sentence(credits_of_engine(engine, points)),
        _turnaround(engine, points),
    )
    held = tuple((limit, None) for limit in limits if limit)
    return EngineFacts(fidelity=engine.fidelity, leaves_out=omitted + held)


def _flit_specs(engine: DeclaredEngine, points: Points) -> list[PointSpec]:
    """What the points of an engine say that simulates flits; of others nothing."""
    if "channel_latency_cycles" not in engine.model.model_fields or not engine.has_sections(None):
        return []
    own = np.flatnonzero(points.codes("engine") == points.number("engine", engine.name))
    distinct, _ = points.take(own).distinct()
    return [point.spec for point in distinct]


def credits_of_engine(engine: DeclaredEngine, points: Points) -> list[Credits]:
    """Buffers and credit loops of the points of an engine."""
    specs = _flit_specs(engine, points)
    defaults = engine.model().spec() if specs else {}
    return [each for spec in specs if (each := credits_of(spec, defaults))]


def turnarounds_of_engine(engine: DeclaredEngine, points: Points) -> list[Turnaround]:
    """Where links of the points of an engine wait between packets."""
    return [each for spec in _flit_specs(engine, points) if (each := turnaround_of(spec))]


def _turnaround(engine: DeclaredEngine, points: Points) -> str | None:
    key = f"engine.{engine.name}.virtual_channels"
    return turnaround_sentence(turnarounds_of_engine(engine, points), key)


def flit_notes(experiment: Experiment, points: Points) -> Iterator[str]:
    """What to know of buffers, and of options that count instead of the network's sections."""
    for name in experiment.engines:
        engine = experiment.declared[name]
        if specs := _flit_specs(engine, points):
            yield from (f"{name}: {note}" for note in notes(specs, engine.model().spec()))
        if limit := _turnaround(engine, points):
            yield f"{name}: {limit}"


@dataclass(frozen=True, slots=True)
class EngineSummary:
    """What a plan means for one engine: `new` points have no outcome yet, `cached` are done.

    `skipped` points have none either, because the machine lacks a program. `flagged` points are
    done, but the machine was too busy; they are not among the `cached`.
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
