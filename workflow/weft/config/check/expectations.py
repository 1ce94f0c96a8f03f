"""Statements of `expect:`: names that there are not, wrong bounds, and those that can not fail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from weft.config.check.described_metrics import metric_directions, metric_labels, metric_unit
from weft.config.check.figure_needs import given_metrics, not_swept
from weft.config.check.where_filters import either, planned_values, same
from weft.config.language.amounts import amount
from weft.config.language.errors import Problem, listing, nearest, unknown
from weft.config.language.flow_text import written
from weft.config.model.expectation import (
    AgreementExpected,
    AlongExpected,
    BestExpected,
    Bounded,
    ChoicesExpected,
    CostExpected,
    Expectation,
)
from weft.config.model.experiment import Experiment
from weft.config.model.figures import BestChoice
from weft.config.model.placed import Placed
from weft.config.points.chosen_in_si import unit_of
from weft.config.points.column_names import column_names
from weft.config.points.metric_givers import engines_giving, shared_metrics
from weft.config.points.resolve import Part
from weft.tables.metrics import COSTS

Stated = Placed[Expectation]
#: Numbers and shares.
_PLAIN = "1"
_LOWER, _UPPER = ("at_least", "above"), ("at_most", "below")


def stated_problems(experiment: Experiment) -> list[Problem]:
    """Keys, metrics and engines that there are not, bounds without their unit, and bounds that
    exclude each other or that every result meets."""
    known = _Statements(experiment)
    found: list[Problem] = []
    sound: list[tuple[Stated, Mapping[str, float]]] = []
    for stated in experiment.expectations:
        wrong = list(known.names(stated))
        ends, wrong_ends = ({}, []) if wrong else known.ends(stated)
        found += [*wrong, *wrong_ends]
        if not wrong and not wrong_ends:
            sound.append((stated, ends))
    return [*found, *_contradictions(sound)]


@dataclass(frozen=True)
class _Statements:
    """What the statements of an experiment may name."""

    experiment: Experiment

    @cached_property
    def keys(self) -> Mapping[str, str]:
        return column_names(self.experiment)

    @cached_property
    def metrics(self) -> Mapping[str, str]:
        return metric_directions(self.experiment.configs_dir)

    def names(self, stated: Stated) -> Iterator[Problem]:
        asked, place = stated.asked, stated.place
        for field, keys in {**asked.keys(), "where": list(asked.where)}.items():
            for key in keys:
                if key not in self.keys:
                    yield Problem(f"{place}.{field}", unknown("key", key, self.keys))
        for field, engine in asked.engines().items():
            published = ["published"] if field == "agreement.to" else []
            engines = [*self.experiment.engines, *published]
            if engine not in engines:
                yield Problem(f"{place}.{field}", unknown("engine", engine, engines))
        metric = asked.of
        if metric is None or not self.metrics:
            return
        if metric not in {**self.metrics, **COSTS}:
            labels = metric_labels(self.experiment.configs_dir)
            yield Problem(f"{place}.metric", unknown("metric", metric, self.metrics, labels))
        elif isinstance(asked, BestExpected) and self.metrics.get(metric) == "neutral":
            message = f"{metric} has no better direction, so no alternative is best"
            yield Problem(f"{place}.metric", message)

    def ends(self, stated: Stated) -> tuple[Mapping[str, float], list[Problem]]:
        """The ends of the bound in stored units, and what is wrong with them."""
        asked, place = stated.asked, stated.place
        found: dict[str, float] = {}
        wrong: list[Problem] = []
        if isinstance(asked, AlongExpected) and asked.crosses is not None:
            self._read(f"{place}.crosses", asked.crosses, self._unit(asked), wrong)
        if not isinstance(asked, Bounded):
            return found, wrong
        unit = self._unit_of_ends(asked)
        for name, end in asked.ends().items():
            number = self._read(f"{place}.{name}", end, unit, wrong)
            if number is not None:
                found[name] = number
        if not wrong and (text := _useless(asked, found)):
            wrong.append(Problem(f"{place}.{next(iter(found), '')}", text))
        if not wrong and _exclude(found):
            both = " and ".join(f"{name} {asked.ends()[name]}" for name in found)
            wrong.append(Problem(place, f"{both} exclude each other: no result meets both"))
        return found, wrong

    def _unit(self, asked: Expectation) -> str:
        return metric_unit(self.experiment.configs_dir, asked.of or "")

    def _unit_of_ends(self, asked: Expectation) -> str:
        if isinstance(asked, AlongExpected):
            if asked.crosses is None:
                return _PLAIN
            return unit_of(self.keys[asked.along]) or _PLAIN
        if isinstance(asked, ChoicesExpected) or (
            isinstance(asked, CostExpected) and asked.cost.to
        ):
            return _PLAIN
        return self._unit(asked)

    def _read(
        self, place: str, given: float | str, unit: str, wrong: list[Problem]
    ) -> float | None:
        try:
            number = amount(given, unit)
        except ValueError as error:
            wrong.append(Problem(place, str(error)))
            return None
        if number < 0:
            wrong.append(Problem(place, f"'{given}' is negative, which no result is"))
        return number


def _useless(asked: Bounded, ends: Mapping[str, float]) -> str:
    """Why every result meets the bound, or none; empty where it may go either way."""
    if isinstance(asked, AlongExpected) and asked.crosses is not None:
        return ""
    if ends and set(ends) == {"at_least"} and ends["at_least"] == 0:
        return "no result is below 0, so this can not fail: give a higher bound"
    if ends.get("below") == 0:
        return "no result is below 0, so this can not hold: give a higher bound"
    shares = isinstance(asked, ChoicesExpected) and asked.choices == "right"
    if shares or (isinstance(asked, AlongExpected) and asked.goes == "falls"):
        top = "nothing is above 100 %"
        is_high = ends.get("at_most", 0) >= 1 or ends.get("below", 0) > 1
        if is_high and not set(ends) & {*_LOWER}:
            return f"{top}, so this can not fail: give a lower bound"
        if ends.get("at_least", 0) > 1 or ends.get("above", 0) >= 1:
            return f"{top}, so this can not hold: give a lower bound"
    return ""


def _exclude(ends: Mapping[str, float]) -> bool:
    """Whether no number lies between the ends."""
    lower = max((ends[name] for name in _LOWER if name in ends), default=None)
    upper = min((ends[name] for name in _UPPER if name in ends), default=None)
    if lower is None or upper is None:
        return False
    is_open = ends.get("above") == lower or ends.get("below") == upper
    return lower > upper or (lower == upper and is_open)


def _contradictions(found: Iterable[tuple[Stated, Mapping[str, float]]]) -> Iterator[Problem]:
    """Statements about the same answers that can not both hold."""
    seen: dict[str, list[tuple[Stated, Mapping[str, float]]]] = {}
    for stated, ends in found:
        others = seen.setdefault(_about(stated), [])
        for other, theirs in others:
            if _exclude_together(stated.asked, ends, other.asked, theirs):
                message = f"it contradicts {other.place}: no result meets both"
                yield Problem(stated.place, message, (other.place,))
                break
        others.append((stated, ends))


def _about(stated: Stated) -> str:
    """What a statement is about, without what it says of it."""
    left_out = {"at_least", "above", "at_most", "below", "best", "by", "goes"}
    fields = stated.asked.model_dump(exclude=left_out, exclude_none=True)
    where = {key: sorted(map(repr, either(value))) for key, value in stated.asked.where.items()}
    return repr((stated.kind, sorted({**fields, "where": where}.items(), key=repr)))


def _exclude_together(
    one: Expectation, ends: Mapping[str, float], other: Expectation, theirs: Mapping[str, float]
) -> bool:
    if isinstance(one, BestExpected) and isinstance(other, BestExpected):
        return bool(same(one.best) != same(other.best))
    if isinstance(one, AlongExpected) and isinstance(other, AlongExpected):
        if {one.goes, other.goes} == {"grows", "falls"}:
            return True
        if one.crosses is None and one.goes != other.goes:
            return False
    both = {
        name: (max if name in _LOWER else min)(e[name] for e in (ends, theirs) if name in e)
        for name in (*_LOWER, *_UPPER)
        if name in ends or name in theirs
    }
    return _exclude(both)


def expected_problems(
    experiment: Experiment, parts: Iterable[tuple[str, Part]]
) -> Iterator[Problem]:
    """Statements about what the points do not have: metrics, alternatives, values of an axis.

    Under overrides keys and values are not checked, because they may have removed these.
    """
    if not experiment.expectations:
        return
    known = [*parts]
    metrics = given_metrics(experiment, known)
    planned = {} if experiment.overrides else planned_values(experiment, known)
    names = column_names(experiment)
    for stated in experiment.expectations:
        yield from _unanswered(experiment, stated, metrics)
        if isinstance(stated.asked, ChoicesExpected):
            yield from _unmapped(experiment, stated)
        for field, keys in stated.asked.keys().items() if planned else ():
            for key in keys:
                yield from not_swept(f"{stated.place}.{field}", key, names[key], planned)
        if planned and isinstance(stated.asked, AlongExpected):
            yield from _no_numbers(stated.place, stated.asked.along, names, planned)
        if planned and isinstance(stated.asked, BestExpected):
            yield from _alternatives(experiment, stated.place, stated.asked, names, planned)


def _unanswered(
    experiment: Experiment, stated: Stated, metrics: frozenset[str] | None
) -> Iterator[Problem]:
    """A metric that no engine gives, or not the one that is named."""
    asked, metric = stated.asked, stated.asked.of
    if metric is None:
        if isinstance(asked, AgreementExpected):
            yield from _no_shared_metric(experiment, stated.place, asked)
        return
    place = f"{stated.place}.metric"
    engines = engines_giving(experiment, metric)
    if metrics is not None and metric not in metrics:
        guess = nearest(metric, metrics) or ";"
        named = ", ".join(experiment.engines)
        message = f"no engine of this experiment ({named}) gives {metric}{guess}"
        yield Problem(place, f"{message} {listing('they give', 'metric', metric, [*metrics])}")
        return
    for field, engine in asked.engines().items():
        if engine in experiment.engines and engine not in engines:
            message = f"{engine} does not give {metric}; engines that do: {', '.join(engines)}"
            yield Problem(f"{stated.place}.{field}", message)


def _no_shared_metric(
    experiment: Experiment, place: str, asked: AgreementExpected
) -> Iterator[Problem]:
    if not shared_metrics(experiment, asked):
        both = " and ".join(asked.engines().values())
        yield Problem(place, f"no figure shows a metric that {both} give: name it as metric")


def _unmapped(experiment: Experiment, stated: Stated) -> Iterator[Problem]:
    maps = [f.asked for f in experiment.figures if isinstance(f.asked, BestChoice)]
    judged = dict.fromkeys(each.metric for each in maps if each.is_judged)
    if not judged:
        message = "no figure of the kind choice has to or published, so nothing judges a choice"
        yield Problem(stated.place, message)
    elif stated.asked.of is not None and stated.asked.of not in judged:
        message = f"no figure of the kind choice with to or published shows {stated.asked.of};"
        known = listing("they show", "metric", stated.asked.of, [*judged])
        yield Problem(f"{stated.place}.metric", f"{message} {known}")
    elif isinstance(stated.asked, ChoicesExpected) and stated.asked.choices == "lost":
        metric = stated.asked.of
        if not any(each.to for each in maps if metric in (None, each.metric)):
            message = "what choices lose is known only of a figure of the kind choice with to"
            yield Problem(f"{stated.place}.choices", message)


def _no_numbers(
    place: str, key: str, names: Mapping[str, str], planned: Mapping[str, dict[object, object]]
) -> Iterator[Problem]:
    words = [
        value
        for value in planned.get(names[key], {}).values()
        if not isinstance(value, int | float | list) or isinstance(value, bool)
    ]
    if words:
        message = f"{key} has words, such as {written(words[0])}: an axis has numbers"
        yield Problem(f"{place}.along", message)


def _alternatives(
    experiment: Experiment,
    place: str,
    asked: BestExpected,
    names: Mapping[str, str],
    planned: Mapping[str, dict[object, object]],
) -> Iterator[Problem]:
    """An alternative that no key has, that several have, or that has no rival."""
    swept = dict.fromkeys(names.get(key, key) for key in experiment.sweep.swept_keys())
    keys = [names[asked.among]] if asked.among else [*swept, "variant"]
    values = {key: planned[key] for key in keys if len(planned.get(key, {})) > 1}
    having = [key for key, found in values.items() if same(asked.best) in found]
    if not having:
        known = [written(each) for found in values.values() for each in found.values()]
        yield Problem(f"{place}.best", unknown("alternative", written(asked.best), known))
    elif len(having) > 1:
        message = f"{' and '.join(having)} have the value {written(asked.best)}: name one as among"
        yield Problem(f"{place}.best", message)
    else:
        (key,) = having
        chosen = {names.get(k, k): value for k, value in asked.where.items()}.get(key)
        left = {same(each) for each in either(chosen)} if chosen is not None else {*values[key]}
        if same(asked.best) not in left:
            message = f"where leaves out {written(asked.best)}, which shall be best"
            yield Problem(f"{place}.where.{key}", message)
        elif len(left & {*values[key]}) < 2:
            message = f"where leaves {written(asked.best)} no rival, so this can not fail"
            yield Problem(f"{place}.where.{key}", message)
