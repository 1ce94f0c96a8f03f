"""What an engine answers and what not, as its declaration says; checked on every point's spec."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from weft.config.language.condition import Condition, parse_condition
from weft.config.language.errors import Problem, nearest, unknown
from weft.config.language.section import Settings, key_names, section_of
from weft.config.model.deadlock import deadlock_refusals
from weft.config.model.declaration import EngineFile
from weft.config.model.failures import AROUND, GRAPH
from weft.config.model.kinds import KINDS
from weft.config.model.network import Network

#: The sections of a spec: `{"topology": {"kind": "torus", …}, …, "options": {…}}`.
Spec = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Refused:
    """Points for which `condition` holds; `keys` are what a user writes for its keys."""

    condition: Condition
    keys: tuple[str, ...]
    because: str

    @property
    def sections(self) -> frozenset[str]:
        """The sections of a spec that decide whether it holds."""
        return frozenset(section_of(key)[0] for key in [*self.condition.keys()])


@dataclass(frozen=True, slots=True)
class Omission:
    """What a prediction leaves out, of points for which `when` holds; of all without it."""

    text: str
    when: str | None


@dataclass(frozen=True)
class Capabilities:
    """What the engine called `engine` answers.

    `supports` maps a key of the spec to what a user writes for it, and the values it may have.
    """

    engine: str = ""
    supports: Mapping[str, tuple[str, tuple[object, ...]]] = field(default_factory=dict)
    refuses: tuple[Refused, ...] = ()
    leaves_out: tuple[Omission, ...] = ()

    @cached_property
    def rules(self) -> tuple[tuple[tuple[str, ...], tuple[Refused, ...]], ...]:
        """What is refused, by the sections that decide it."""
        found: dict[tuple[str, ...], list[Refused]] = {}
        for each in self.refuses:
            found.setdefault(tuple(sorted(each.sections)), []).append(each)
        return tuple((sections, tuple(rules)) for sections, rules in found.items())

    def refused(self, spec: Spec, rules: Iterable[Refused]) -> list[Problem]:
        """Which of the `rules` refuse the point of `spec`."""
        value_of = partial(_value, spec)
        return [
            Problem(each.keys[-1], f"{self.engine}: {each.because}", each.keys)
            for each in rules
            if each.condition.holds(value_of)
        ]

    def problems(self, spec: Spec) -> list[Problem]:
        """Why the engine does not answer the point of `spec`; empty if it does."""
        # A value that is not known at all gets one message.
        return self.unanswered(spec) or self.refused(spec, self.refuses)

    def unanswered(self, spec: Spec) -> list[Problem]:
        """The values of `spec` that the engine answers for no point."""
        value_of = partial(_value, spec)
        found = list(self._graph_problems(value_of))
        for key, (written, allowed) in self.supports.items():
            value = value_of(key)
            if value is not None and value not in allowed:
                possible = _possible(spec, key, written)
                choices = [str(each) for each in allowed if possible is None or each in possible]
                listed = ", ".join(choices) or "none"
                guess = nearest(str(value), choices) or ";"
                message = f"{self.engine} does not answer '{value}'{guess} allowed: {listed}"
                found.append(Problem(written, message, (written,)))
        return found

    def _graph_problems(self, value_of: Callable[[str], object]) -> Iterator[Problem]:
        """A topology that is routed as a graph, of an engine that routes no graphs."""
        _, kinds = self.supports.get("topology.kind", ("", (GRAPH,)))
        kind, routing = value_of("topology.kind"), value_of("topology.routing")
        if kind != GRAPH and kind in kinds and routing in AROUND and GRAPH not in kinds:
            message = f"{self.engine} routes no graphs; leave out '{routing}' and failures"
            yield Problem("topology.routing", message, ("topology.routing",))


def _value(spec: Spec, key: str) -> object:
    found: object = spec
    for step in key.split("."):
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def _possible(spec: Spec, key: str, written: str) -> tuple[object, ...] | None:
    """What the chosen kind of topology or workload has under `key`; None if no list of values."""
    section, field = key.partition(".")[0], written.rpartition(".")[2]
    models = KINDS.get(section, {})
    model = models.get(spec.get(section, {}).get("kind", ""))
    # The kind is what is chosen: that of the model says nothing.
    if model is None or field == "kind" or field not in model.model_fields:
        return None
    return tuple(_literals(model.model_fields[field].annotation)) or None


def _literals(annotation: object) -> Iterator[Any]:
    if get_origin(annotation) is Literal:
        yield from get_args(annotation)
    else:
        for branch in get_args(annotation):
            yield from _literals(branch)


def capabilities(
    name: str, file: EngineFile, options: type[Settings]
) -> Capabilities | list[Problem]:
    """What `file` says about the engine called `name`, or what is wrong with it."""
    written = dict(_written(name, options))
    wrong = [
        Problem(f"supports.{key}", unknown("key", key, written))
        for key in file.supports
        if key not in written
    ]
    wrong += _unknown_values(file)
    refused = []
    by_channels = deadlock_refusals(file)
    places = ["virtual_channels"] * len(by_channels)
    places += [f"refuses[{i}].when" for i in range(len(file.refuses))]
    for place, each in zip(places, [*by_channels, *file.refuses], strict=True):
        condition = _condition(each.when, place, written, wrong)
        if condition is not None:
            keys = tuple(dict.fromkeys(condition.keys()))
            refused.append(Refused(condition, tuple(written[key] for key in keys), each.because))
    for i, left in enumerate(file.leaves_out):
        if left.when is not None:
            _condition(left.when, f"leaves_out[{i}].when", written, wrong)
    supports = {
        key: (written[key], tuple(values))
        for key, values in file.supports.items()
        if key in written
    }
    omitted = tuple(Omission(each.text, each.when) for each in file.leaves_out)
    return wrong or Capabilities(name, supports, tuple(refused), omitted)


def _unknown_values(file: EngineFile) -> Iterator[Problem]:
    """Values under `supports` that no topology and no workload has."""
    for key, values in file.supports.items():
        section, _, name = key.partition(".")
        models: Iterable[type[Settings]] = KINDS.get(section, {}).values()
        fields = [model.model_fields[name] for model in models if name in model.model_fields]
        known = [word for field in fields for word in _literals(field.annotation)]
        for i, value in enumerate(values if known else ()):
            if value not in known:
                yield Problem(f"supports.{key}[{i}]", unknown("value", str(value), known))


def _condition(
    text: str, place: str, written: Mapping[str, str], wrong: list[Problem]
) -> Condition | None:
    """The condition at `place`; mistakes in it go to `wrong`."""
    try:
        condition = parse_condition(text)
    except ValueError as error:
        wrong.append(Problem(place, str(error)))
        return None
    strange = [key for key in dict.fromkeys(condition.keys()) if key not in written]
    wrong += [Problem(place, unknown("key", key, written)) for key in strange]
    return None if strange else condition


def _written(name: str, options: type[Settings]) -> Iterator[tuple[str, str]]:
    """Every key of a spec, and what a user writes for it."""
    yield "topology.nodes", "topology.nodes"
    yield "workload.source", "workload.program"
    sections: list[tuple[str, str, list[type[BaseModel]]]] = [
        ("topology", "topology", [*KINDS["topology"].values()]),
        ("network", "network", [Network]),
        ("workload", "workload", [*KINDS["workload"].values()]),
        ("options", f"engine.{name}", [options]),
    ]
    for section, place, models in sections:
        for model in models:
            for key, found in key_names(model).items():
                yield f"{section}.{found}", f"{place}.{key}"
