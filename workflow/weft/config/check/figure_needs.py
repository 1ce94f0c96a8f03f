"""What `answer:` and figures need of the points: keys that vary, metrics that an engine gives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from weft.config.check.described_metrics import metric_directions
from weft.config.check.where_filters import planned_values
from weft.config.language.errors import Problem, listing, nearest
from weft.config.language.flow_text import written
from weft.config.model.answer import AnswerRequest, Choices
from weft.config.model.catalogue import CATALOGUE
from weft.config.model.experiment import Experiment
from weft.config.model.figures import BestChoice
from weft.config.model.placed import Placed
from weft.config.model.workload import Program, Traffic
from weft.config.points.column_names import column_names
from weft.config.points.engine_view import program_files
from weft.config.points.places import Places
from weft.config.points.resolve import Part
from weft.tables.metrics import COSTS, DERIVED

#: A name in a program's source that may be a metric that it measures itself.
_SAMPLED = re.compile(rb'"([a-z][a-z0-9_]*_s)"')


def asked_problems(experiment: Experiment, parts: Iterable[tuple[str, Part]]) -> Iterator[Problem]:
    """Keys that have one value only, and metrics that no engine of the experiment gives.

    Under overrides keys are not checked, because they may have removed the values.
    """
    found, known = experiment.questions, [*parts]
    planned = planned_values(experiment, known) if found and not experiment.overrides else {}
    names = column_names(experiment) if found else {}
    for question in found:
        for field, keys in question.asked.keys().items():
            for key in keys:
                yield from not_swept(f"{question.place}.{field}", key, names[key], planned)
        if isinstance(question.asked, Choices):
            yield from _unjudged(experiment, question)
    described = metric_directions(experiment.configs_dir)
    metrics = given_metrics(experiment, known) if described else None
    for place, metric in _shown(experiment):
        if metrics is not None and metric not in metrics:
            guess = _only_for(metric, experiment, known) or nearest(metric, metrics)
            engines = ", ".join(experiment.engines)
            message = f"no engine of this experiment ({engines}) gives {metric}{guess or ';'}"
            yield Problem(place, f"{message} {listing('they give', 'metric', metric, [*metrics])}")


def _unjudged(experiment: Experiment, question: Placed[AnswerRequest]) -> Iterator[Problem]:
    """A question about choices that no map holds against anything."""
    maps = [f.asked for f in experiment.figures if isinstance(f.asked, BestChoice)]
    judged = dict.fromkeys(each.metric for each in maps if each.is_judged)
    metric = question.asked.of
    if not judged:
        message = "no figure of the kind choice has to or published, so nothing judges a choice"
        yield Problem(question.place, message)
    elif metric is not None and metric not in judged:
        guess = nearest(metric, judged)
        message = f"no figure of the kind choice with to or published shows {metric}{guess or ';'}"
        known = listing("they show", "metric", metric, [*judged])
        yield Problem(f"{question.place}.of", f"{message} {known}")


def _only_for(metric: str, experiment: Experiment, parts: Iterable[tuple[str, Part]]) -> str:
    """That engines give the metric, though not for these kinds of workload; empty if none does."""
    declared = (experiment.declared[name].metrics or {} for name in experiment.engines)
    others = {kind for each in declared for kind, names in each.items() if metric in names}
    if not others:
        return ""
    return f" for {_named(_kinds(parts))}, only for {_named(others)};"


def _named(kinds: Iterable[str]) -> str:
    searches = CATALOGUE.workloads.searches
    return " and ".join(f"search: {kind}" if kind in searches else kind for kind in sorted(kinds))


def _kinds(parts: Iterable[tuple[str, Part]]) -> set[str]:
    """The kinds of workload that are asked, a search by its word."""
    models = (part.model for section, part in parts if section == "workload")
    return {
        (isinstance(model, Traffic) and model.search) or str(getattr(model, "kind", ""))
        for model in models
        if model is not None
    }


def _shown(experiment: Experiment) -> Iterator[tuple[str, str]]:
    """The metrics that questions and figures name, each with its place."""
    for question in experiment.questions:
        if question.asked.of is not None:
            yield f"{question.place}.of", question.asked.of
    for figure in experiment.figures:
        for field, metrics in figure.asked.metrics().items():
            yield from ((f"{figure.place}.{field}", each) for each in metrics)


def not_swept(
    place: str, key: str, column: str, planned: Mapping[str, dict[object, object]]
) -> Iterator[Problem]:
    """That all points have one value of a key; `planned` are the values of each column."""
    sizes = planned.get("workload.message_bytes", {}).values() if column == "message_bytes" else ()
    values = planned.get(column, {})
    if any(isinstance(size, list | tuple) and len(size) > 1 for size in sizes) or not planned:
        return
    if column == "message_bytes":
        values = planned.get("workload.message_bytes", {})
    if len(values) < 2:
        only = "".join(f"; every point has {written(value)}" for value in values.values())
        varied = sorted(name for name, found in planned.items() if len(found) > 1)
        yield Problem(place, f"{key} is not swept{only}; swept are: {', '.join(varied) or 'none'}")


def given_metrics(
    experiment: Experiment, parts: Iterable[tuple[str, Part]]
) -> frozenset[str] | None:
    """The metrics that the engines of the experiment may give for its kinds of workload; None where
    one does not say."""
    found, known = set(COSTS), [*parts]
    kinds = _kinds(known)
    for name in experiment.engines:
        engine = experiment.declared[name]
        if engine.metrics is None:
            return None
        found.update(*(engine.metrics.get(kind, ()) for kind in kinds))
    for _, part in known:
        if not isinstance(part.model, Program):
            continue
        for source in program_files(part.model, Places.of(experiment)):
            text = (experiment.configs_dir.parent / source).read_bytes()
            found.update(name.decode() for name in _SAMPLED.findall(text))
    return frozenset(found | {each.name for each in DERIVED if each.of <= found})
