"""Checks of the sections that do not need every point: those that no sweep varies, swept keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import ValidationError

from weft.config.language.errors import Problem, problems, unknown
from weft.config.language.section import Settings, section_of
from weft.config.model.answer import AnswerRequest
from weft.config.model.engine import Engines
from weft.config.model.expectation import Expectation
from weft.config.model.experiment import POINT_GROUPS, Experiment, ExperimentFile
from weft.config.model.figure import Figure
from weft.config.model.machine import Machine
from weft.config.model.placed import (
    Placed,
    placed_expectations,
    placed_figures,
    placed_questions,
)
from weft.config.model.report import Report
from weft.config.points.column_names import column_names
from weft.config.points.other_kinds import of_other_kinds
from weft.config.points.resolve import Resolver, sweepable
from weft.machine import MachineFile

Section = TypeVar("Section", bound=Settings)

#: What is no key of a point, with what people mean who sweep it.
INSTEAD_OF_SWEEPING = {
    "engine": "each engine answers each point: write engines: [flow, packet] beside the sweep",
    "seed": "each replicate has a seed of its own: write replicates: 3 for three seeds",
    "replicates": "the same for all points: write replicates: 3 beside the sweep",
    "topology.kind": "the sweep chooses whole topologies: write topology: [torus, mesh] below "
    "sweep",
    **{
        f"{group}.kind": f"the sweep chooses whole files: write {group}: [NAME, NAME] below "
        f"sweep, with names of files in configs/{group}/"
        for group in ("network", "workload")
    },
}


def point_sections(
    composed: Mapping[str, object], engines: Engines
) -> dict[str, Mapping[str, object]]:
    """The sections that decide points; options have their declared defaults."""
    given = composed.get("engine")
    given = given if isinstance(given, Mapping) else {}
    options = {
        name: {**engine.defaults, **(given.get(name) or {})} for name, engine in engines.items()
    }
    points = {g: composed.get(g) for g in POINT_GROUPS}
    sections = {g: found if isinstance(found, Mapping) else {} for g, found in points.items()}
    return sections | {"engine": options}


@dataclass(frozen=True, slots=True)
class FixedSections:
    """The sections that no sweep varies; what is wrong in them is as if it was not given."""

    machine: MachineFile
    report: Report
    figures: tuple[Placed[Figure], ...]
    questions: tuple[Placed[AnswerRequest], ...]
    expectations: tuple[Placed[Expectation], ...]
    problems: tuple[Problem, ...]


def fixed_sections(settings: ExperimentFile, engines: Engines) -> FixedSections:
    """The sections that no sweep varies, and what is wrong with them."""
    found: list[Problem] = []
    machine = MachineFile.read(_checked(Machine, settings.machine, "machine", found).spec())
    report = _checked(Report, settings.report, "report", found)
    for name in settings.engine:
        if name not in engines:
            found.append(Problem(f"engine.{name}", unknown("engine", name, engines)))
    figures, wrong_figures = placed_figures(settings.figures)
    questions, wrong_questions = placed_questions(settings.answer)
    expectations, wrong_expectations = placed_expectations(settings.expect)
    wrong = (*found, *wrong_figures, *wrong_questions, *wrong_expectations)
    return FixedSections(machine, report, figures, questions, expectations, wrong)


def _checked(
    model: type[Section], raw: Mapping[str, object], prefix: str, found: list[Problem]
) -> Section:
    try:
        return model.model_validate(dict(raw))
    except ValidationError as error:
        found += problems(error, model, prefix)
        return model()


def sweep_key_problems(experiment: Experiment) -> list[Problem]:
    """Keys in the sweep that do not exist, or that belong to an engine which is not asked."""
    found = []
    known = sweepable(experiment)
    for key in experiment.sweep.swept_keys():
        engine = key.split(".")[1] if key.startswith("engine.") and key.count(".") == 2 else None
        if key not in known:
            instead = INSTEAD_OF_SWEEPING.get(key) or _unknown(experiment, key, known)
            found.append(Problem(f"sweep.{key}", instead))
        elif engine is not None and engine not in experiment.engines:
            message = f"this key varies {engine}, which is not among engines"
            found.append(Problem(f"sweep.{key}", message))
    asked = [*known, "engine", *(f"{section}.kind" for section in POINT_GROUPS)]
    for place, key in _conditions(experiment):
        if key not in asked:
            found.append(Problem(place, unknown("key", key, asked)))
    return found + list(_bare_numbers(experiment))


def _unknown(experiment: Experiment, key: str, known: Sequence[str]) -> str:
    """What is wrong with a swept key that no section of the experiment has."""
    section = key.partition(".")[0]
    if section == "options":
        # As figures name a column, which holds the option of whichever engine has it.
        near = [each for each in known if each.endswith(f".{key.partition('.')[2]}")]
        having = [name for name in near if name.split(".")[1] in experiment.engines] or near
        if having and section_of(having[0])[0].startswith("engine."):
            return f"unknown key '{key}'; a sweep names the engine: write {' or '.join(having)}"
    chosen = [base.get(section) or {} for base in experiment.bases.values()]
    kinds = {str(each.get("kind")) for each in chosen}
    hints = {of_other_kinds(key, kind) for kind in kinds}
    hint = hints.pop() if len(hints) == 1 else ""
    return f"unknown key '{key}'{hint}" if hint else unknown("key", key, known)


def _bare_numbers(experiment: Experiment) -> Iterator[Problem]:
    """Quantities compared with a number without a unit, which none of them equals."""
    names = column_names(experiment)
    for place, key, value in _compared(experiment):
        # A column says the unit of its key's values, so it has another name.
        quantity = names.get(key, key).rpartition(".")[2] != key.rpartition(".")[2]
        if quantity and type(value) in (int, float):
            message = f"{key} is a quantity: write {value} with its unit"
            yield Problem(place, message)


def _compared(experiment: Experiment) -> Iterator[tuple[str, str, object]]:
    """Keys of conditions and exclusions, each with a value that it is compared with."""
    for i, rule in enumerate(experiment.sweep.excluded):
        yield from ((f"sweep.exclude[{i}]", key, v) for key, values in rule.items() for v in values)
    for axis in experiment.sweep.axes:
        for term in axis.when.terms if axis.when else ():
            values = term.right if isinstance(term.right, list) else [term.right]
            if not term.counted:
                yield from ((f"sweep.{axis.keys[0]}.when", term.key, v) for v in values)


def _conditions(experiment: Experiment) -> Iterator[tuple[str, str]]:
    for i, rule in enumerate(experiment.sweep.excluded):
        yield from ((f"sweep.exclude[{i}]", key) for key in rule)
    for axis in experiment.sweep.axes:
        for key in axis.when.keys() if axis.when else ():
            yield f"sweep.{axis.keys[0]}.when", key


def unasked_problems(experiment: Experiment) -> list[Problem]:
    """Mistakes in sections that no engine of the experiment uses, with the first swept values."""
    asked = (experiment.declared.get(name) for name in experiment.engines)
    if not all(engine and engine.measures for engine in asked):
        return []
    resolver = Resolver(experiment)
    first = experiment.sweep.first()
    parts = (
        resolver.part(section, {**first, **dict(choices)})
        for choices in experiment.bases
        for section in ("topology", "network")
    )
    return list(dict.fromkeys(problem for part in parts for problem in part.problems))
