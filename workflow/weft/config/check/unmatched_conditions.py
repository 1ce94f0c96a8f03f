"""Conditions and exclusions that hold for no point: most likely one of their values is misspelt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from weft.config.check.where_filters import MOST_SHOWN
from weft.config.language.condition import Condition, KeyTerm, Term, equal
from weft.config.language.errors import Problem, nearest
from weft.config.language.flow_text import written
from weft.config.language.quantities import in_si
from weft.config.model.experiment import Assignment, Experiment
from weft.config.model.sweep import Axis, Fallback, matches, serves, value_of

_CHOOSING = ("==", "in")
_Rule = Mapping[str, tuple[object, ...]]


def unmatched_problems(experiment: Experiment, fallback: Fallback) -> Iterator[Problem]:
    """What `when` and `exclude` ask for although no point has it, with the values that points have.

    Overrides switch this check off, because they may have removed the values.
    """
    if experiment.overrides:
        return
    points = _Points(experiment, fallback)
    axes, rules = points.unmatched()
    for axis in axes:
        assert axis.when is not None
        reason = points.no_condition(axis, axis.when)
        yield Problem(f"sweep.{axis.keys[0]}.when", f"matches no point: {reason}")
    for i in rules:
        reason = points.no_rule(experiment.sweep.excluded[i])
        yield Problem(f"sweep.exclude[{i}]", f"excludes no point: {reason}")


class _Points:
    """Every assignment of an experiment's sweep before exclusions, by engine."""

    def __init__(self, experiment: Experiment, fallback: Fallback) -> None:
        self.sweep, self.engines, self.fallback = experiment.sweep, experiment.engines, fallback

    def __iter__(self) -> Iterator[tuple[str, dict[str, object]]]:
        for engine in self.engines:
            yield from ((engine, each) for each in self.sweep.formed(engine, self.fallback))

    def unmatched(self) -> tuple[list[Axis], list[int]]:
        """Axes whose condition, and numbers of the rules that, no assignment meets."""
        axes = [axis for axis in self.sweep.axes if axis.when]
        rules = list(range(len(self.sweep.excluded)))
        for engine, assignment in self if axes or rules else ():
            # A condition that holds gives its key a value.
            axes = [axis for axis in axes if axis.keys[0] not in assignment]
            rules = [i for i in rules if not self._matches(i, assignment, engine)]
            if not axes and not rules:
                break
        return axes, rules

    def _matches(self, rule: int, assignment: Assignment, engine: str) -> bool:
        return matches(self.sweep.excluded[rule], assignment, engine, self.fallback)

    def no_rule(self, rule: _Rule) -> str:
        """Why no point matches `rule`."""
        for key, values in rule.items():
            asked = [engine for engine in self.engines if serves(key, engine)]
            if not asked:
                return f"{key} belongs to an engine that is not among engines"
            found = [
                value_of(key, assignment, engine, self.fallback)
                for engine, assignment in self
                if engine in asked
            ]
            if not any(equal(value, each) for value in found for each in values):
                return _none_has(key, values, found)
        return "no point has all of these values together"

    def no_condition(self, axis: Axis, condition: Condition) -> str:
        """Why no point meets the condition of `axis`, which sees no key that is swept after it."""
        conditional = [each for each in self.sweep.axes if each.when]
        later = {key for each in conditional[conditional.index(axis) :] for key in each.keys}
        seen = [
            (engine, {key: value for key, value in assignment.items() if key not in later})
            for engine, assignment in self
            if axis.serves(engine)
        ]
        for term in condition.terms:
            if not any(self._holds(term, *each) for each in seen):
                found = [value_of(term.key, point, name, self.fallback) for name, point in seen]
                return _no_term(term, found)
        return "no point has all of these values together"

    def _holds(self, term: Term, engine: str, assignment: Assignment) -> bool:
        return term.holds(lambda key: value_of(key, assignment, engine, self.fallback))


def _no_term(term: Term, found: list[object]) -> str:
    plain = term.operator in _CHOOSING and not (term.divisor or term.counted)
    if plain and not isinstance(term.right, KeyTerm):
        values = term.right if isinstance(term.right, list) else [term.right]
        return _none_has(term.key, values, found)
    return f"{term.text} is never true; the points have: {_listed(found)}"


def _none_has(key: str, values: Iterable[object], found: list[object]) -> str:
    wanted = " or ".join(f"'{written(value)}'" for value in values)
    there = [value for value in found if value is not None]
    if not there:
        return f"no point has {key}"
    guess = next((g for value in values if (g := _nearest(value, there))), ";")
    return f"no point has {key} {wanted}{guess} the points have: {_listed(there)}"


def _nearest(value: object, there: list[object]) -> str:
    size = _size(value)
    sizes = [(number, each) for each in there if (number := _size(each)) is not None]
    if size is not None and sizes:
        _, closest = min(sizes, key=lambda pair: abs(pair[0] - size))
        return f"; did you mean '{written(closest)}'?"
    return nearest(written(value), dict.fromkeys(map(written, there)))


def _size(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    try:
        return float(in_si(value)) if isinstance(value, str) else None
    except ValueError:
        return None


def _listed(found: Iterable[object]) -> str:
    texts = list(dict.fromkeys(written(value) for value in found if value is not None))
    more = ", …" if len(texts) > MOST_SHOWN else ""
    return ", ".join(islice(texts, MOST_SHOWN)) + more or "none"
