"""Sections with swept values put in, validated once for each distinct combination."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import BaseModel, ValidationError

from weft.config.language.errors import Problem, problems, unknown
from weft.config.language.section import Settings, file_fields, inner_model, section_of, spec_name
from weft.config.model.engine import Engines
from weft.config.model.experiment import (
    POINT_GROUPS,
    Assignment,
    Choices,
    Experiment,
    Sections,
    fields_of,
)
from weft.config.model.jobs import Jobs
from weft.config.model.kinds import KINDS
from weft.config.model.network import Network
from weft.config.model.trace import Trace
from weft.config.model.workload import SourceProgram
from weft.config.points.engine_view import for_engine
from weft.config.points.linked_values import LinkError, referred, resolved
from weft.config.points.message_file import file_sha256
from weft.config.points.other_kinds import with_kinds
from weft.config.points.placement import KEY, with_placement
from weft.config.points.places import Places


@dataclass(frozen=True, slots=True)
class Part:
    """One validated section; without a model, `problems` says why."""

    model: Settings | None
    problems: tuple[Problem, ...] = ()


def section_model(
    section: str, raw: Mapping[str, object], engines: Engines
) -> type[Settings] | Problem:
    """The model that a section's `kind` (or an engine's name) asks for."""
    if section == "network":
        return Network
    if section.startswith("engine."):
        return engines[section.removeprefix("engine.")].model
    kind = raw.get("kind")
    if kind is None:
        return Problem(f"{section}.kind", f"required: {', '.join(sorted(KINDS[section]))}")
    found = KINDS[section].get(str(kind))
    return found or Problem(f"{section}.kind", unknown("kind", str(kind), KINDS[section]))


def validated(section: str, raw: Mapping[str, object], engines: Engines) -> Part:
    """The section `raw` under its model."""
    model = section_model(section, raw, engines)
    if isinstance(model, Problem):
        return Part(None, (model,))
    try:
        return Part(model.model_validate(dict(raw)))
    except ValidationError as error:
        kind = str(raw.get("kind"))
        return Part(None, tuple(with_kinds(each, kind) for each in problems(error, model, section)))


class Resolver:
    """Validated parts of one experiment's points; each distinct part is validated once."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._files = Places.of(experiment)
        self._parts: dict[tuple[str, tuple[object, ...]], Part] = {}
        # By the whole part, which `_parts` keeps, so that its id stays its own.
        self._seen: dict[tuple[tuple[bool, ...], tuple[str, ...], int, int], Part] = {}
        self._asked: dict[tuple[str, int], Part] = {}
        keys = experiment.sweep.swept_keys()
        sections = [*POINT_GROUPS, *(f"engine.{name}" for name in experiment.declared)]
        self._swept = {
            section: [key for key in keys if section_of(key)[0] == section and key != section]
            for section in sections
        }
        self._groups = experiment.sweep.groups()
        self._optional = experiment.sweep.optional_keys()
        workloads = [base.get("workload") or {} for base in experiment.bases.values()]
        self._places = KEY in keys or any("placement" in each for each in workloads)
        # If a value refers to a swept key, that key decides a section other than its own.
        self._referred = referred(list(experiment.linked.values()), (k for k in keys if "." in k))
        self._resolved: dict[object, Sections | LinkError] = {}
        self._values: dict[object, object] = {}

    def part(self, section: str, assignment: Assignment) -> Part:
        """The section with the values of `assignment`."""
        swept = [(k, assignment[k]) for k in self._swept[section] if k in assignment]
        groups = [assignment.get(group) for group in self._groups]
        links = [(k, assignment[k]) for k in self._referred if k in assignment]
        key = (section, (*groups, *((k, _hashable(v)) for k, v in [*swept, *links])))
        if key not in self._parts:
            linked = self._linked(self._experiment.base(assignment)[0], assignment)
            if isinstance(linked, LinkError):
                return Part(None, (linked.problem,))
            raw = self.raw(section, assignment)
            for name, value in swept:
                path = section_of(name)[1].split(".")
                if (
                    value is not None
                    or name not in self._optional
                    or self._null(section, raw, path)
                ):
                    raw = _placed(raw, path, value)
            self._parts[key] = validated(section, raw, self._experiment.declared)
        return self._parts[key]

    def _null(self, section: str, raw: Mapping[str, object], path: Sequence[str]) -> bool:
        """Whether null is a value of the key; elsewhere a zipped row leaves the key out by it."""
        model: type[BaseModel] | Problem | None = section_model(
            section, raw, self._experiment.declared
        )
        for step in path[:-1]:
            if isinstance(model, Problem | None) or step not in model.model_fields:
                return False
            model = inner_model(model, step)
        known = None if isinstance(model, Problem | None) else model.model_fields.get(path[-1])
        return known is not None and type(None) in get_args(known.annotation)

    def parts_for(
        self, engine: str, sections: Iterable[str], assignment: Assignment
    ) -> dict[str, Part]:
        """The sections for `engine`, without the keys that it does not use."""
        kind = self.kind(assignment)
        return {name: self._part_for(engine, name, kind, assignment) for name in sections}

    def _part_for(
        self, engine: str, section: str, kind: str | None, assignment: Assignment
    ) -> Part:
        part = self.part(section, assignment)
        if part.model is None:
            return part
        declared = self._experiment.declared[engine]
        lacking = declared.lacks(kind)
        needs = (
            declared.has_sections(kind),
            declared.has_costs(kind),
            declared.program_source,
            declared.has_formulas,
        )
        is_placed = self._places and section.startswith("engine.")
        placing = self.part("workload", assignment) if is_placed else None
        key = (needs, lacking, id(part), id(placing))
        if key not in self._seen:
            machine = self._experiment.machine.name
            found = for_engine(declared, section, part.model, kind, self._files, machine)
            if placing is not None and not isinstance(found, Problem):
                found = with_placement(engine, found, placing.model, self._files)
            same = part if found is part.model else None
            wrong = Part(None, (found,)) if isinstance(found, Problem) else Part(found)
            self._seen[key] = same or wrong
        found_part = self._seen[key]
        self._asked[section, id(found_part)] = found_part
        return found_part

    def kind(self, assignment: Assignment) -> str | None:
        """The kind of workload that engines get, a program for a trace and for jobs; None where the
        workload has a mistake."""
        model = self.part("workload", assignment).model
        return "program" if isinstance(model, Trace | Jobs) else getattr(model, "kind", None)

    def parts(self) -> Iterator[tuple[str, Part]]:
        """Every distinct part that an engine was asked for until now, with its section."""
        yield from ((section, part) for (section, _), part in self._asked.items())

    def raw(self, section: str, assignment: Assignment) -> Mapping[str, object]:
        """The section as composed, before values are swept into it."""
        base = self._base(assignment)
        group, _, name = section.partition(".")
        found = base.get(group) or {}
        return (found.get(name) or {}) if name else found

    def _base(self, assignment: Assignment) -> Sections:
        chosen, base = self._experiment.base(assignment)
        found = self._linked(chosen, assignment)
        return base if found is None or isinstance(found, LinkError) else found

    def _linked(self, chosen: Choices, assignment: Assignment) -> Sections | LinkError | None:
        """The sections with the values of `assignment` where others refer to them; None where
        nothing refers to anything."""
        if chosen not in self._experiment.linked:
            return None
        given = {key: assignment[key] for key in self._referred if key in assignment}
        place = (chosen, *((key, _hashable(value)) for key, value in given.items()))
        if place not in self._resolved:
            try:
                self._resolved[place] = resolved(self._experiment.linked[chosen], given)
            except LinkError as error:
                self._resolved[place] = error
        return self._resolved[place]

    def value(self, assignment: Assignment, key: str) -> object:
        """The composed value under a dotted key, or its default; None when there is none."""
        groups = tuple(assignment.get(group) for group in self._groups)
        links = tuple((k, _hashable(assignment[k])) for k in self._referred if k in assignment)
        place = (key, groups, links)
        if place not in self._values:
            self._values[place] = self._value(assignment, key)
        return self._values[place]

    def _value(self, assignment: Assignment, key: str) -> object:
        section, field = section_of(key)
        if not field:
            return self._experiment.choices.get(key)
        raw: Any = self.raw(section, assignment)
        model: Any = section_model(section, raw, self._experiment.declared)
        for step in field.split("."):
            if not isinstance(raw, Mapping) or isinstance(model, Problem | None):
                return None
            known = model.model_fields.get(step)
            raw = raw.get(step, None if known is None or known.is_required() else known.default)
            model = inner_model(model, step) if known else None
        return raw


def part_spec(part: Settings, root: Path) -> dict[str, object]:
    """Plain values of a part; a file is named by its content, too."""
    spec = with_digests(type(part), part.spec(), root)
    if isinstance(jobs := spec.get("jobs"), list):
        spec["jobs"] = [with_digests(SourceProgram, job, root) for job in jobs]
    return spec


def with_digests(model: type[Settings], spec: dict[str, object], root: Path) -> dict[str, object]:
    """The spec of a section of this model with the digest of each file beside its name."""
    found = dict(spec)
    for key in file_fields(model):
        name = spec_name(model, key)
        if name in spec:
            file = cast("str | None", spec[name])
            found[f"{name}_sha256"] = file_sha256(root, file) if file is not None else None
    return found


def sweepable(experiment: Experiment) -> list[str]:
    """Every key that the sweep may vary."""
    found = dict.fromkeys(POINT_GROUPS)
    for section in POINT_GROUPS:
        for model in _models(experiment, section):
            found.update(dict.fromkeys(f"{section}.{name}" for name in fields_of(model)))
    for name, engine in experiment.declared.items():
        found.update(dict.fromkeys(f"engine.{name}.{field}" for field in fields_of(engine.model)))
    return list(found)


def _models(experiment: Experiment, section: str) -> list[type[BaseModel]]:
    bases = [base.get(section) or {} for base in experiment.bases.values()]
    chosen = [section_model(section, base, experiment.declared) for base in bases]
    models = [model for model in chosen if not isinstance(model, Problem)]
    return list(models or KINDS[section].values())


def _placed(raw: Mapping[str, object], path: Sequence[str], value: object) -> dict[str, object]:
    """`raw` with `value` at `path`; sections on the way are made where there are none."""
    if len(path) > 1:
        inner = raw.get(path[0])
        value = _placed(inner if isinstance(inner, Mapping) else {}, path[1:], value)
    return {**raw, path[0]: value}


def _hashable(value: object) -> object:
    # True == 1 == 1.0, yet they are different values of a key.
    return (type(value), value) if isinstance(value, int | float | str) else repr(value)
