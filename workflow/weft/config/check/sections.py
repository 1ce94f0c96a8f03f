"""Checks of the sections that do not need every point: machine, report, figures, swept keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from weft.config.language.errors import Problem, problems, unknown
from weft.config.language.section import Settings
from weft.config.language.yaml_files import parsed
from weft.config.model.answer import name_problems
from weft.config.model.engine import Engines
from weft.config.model.experiment import POINT_GROUPS, Experiment, ExperimentFile
from weft.config.model.figures import FIGURES, Figure
from weft.config.model.machine import Machine
from weft.config.model.report import Report
from weft.config.points.column_names import column_names
from weft.config.points.resolve import Resolver, sweepable
from weft.machine import MachineFile


def point_sections(composed: Mapping[str, Any], engines: Engines) -> dict[str, Any]:
    """The sections that decide points; options have their declared defaults."""
    given = composed.get("engine")
    given = given if isinstance(given, Mapping) else {}
    options = {
        name: {**engine.defaults, **(given.get(name) or {})} for name, engine in engines.items()
    }
    points = {g: composed.get(g) for g in POINT_GROUPS}
    sections = {g: found if isinstance(found, Mapping) else {} for g, found in points.items()}
    return sections | {"engine": options}


def machine_and_report(
    settings: ExperimentFile, engines: Engines
) -> tuple[MachineFile, dict[str, Any], list[Problem]]:
    """The two sections in SI units, and what is wrong with them."""
    found: list[Problem] = []
    machine = MachineFile.read(_plain(Machine, settings.machine, "machine", found))
    report = _plain(Report, settings.report, "report", found)
    for name in settings.engine:
        if name not in engines:
            found.append(Problem(f"engine.{name}", unknown("engine", name, engines)))
    return machine, report, found


def _plain(
    model: type[Settings], raw: Mapping[str, Any], prefix: str, found: list[Problem]
) -> dict[str, Any]:
    try:
        return model.model_validate(dict(raw)).spec()
    except ValidationError as error:
        found += problems(error, model, prefix)
        return model().spec()


def sweep_key_problems(experiment: Experiment) -> list[Problem]:
    """Keys in the sweep that do not exist, or that belong to an engine which is not asked."""
    found = []
    known = sweepable(experiment)
    for key in experiment.sweep.swept_keys():
        engine = key.split(".")[1] if key.startswith("engine.") and key.count(".") == 2 else None
        if key not in known:
            found.append(Problem(f"sweep.{key}", unknown("key", key, known)))
        elif engine is not None and engine not in experiment.engines:
            message = f"this key varies {engine}, which is not among engines"
            found.append(Problem(f"sweep.{key}", message))
    asked = [*known, "engine", *(f"{section}.kind" for section in POINT_GROUPS)]
    for place, key in _conditions(experiment):
        if key not in asked:
            found.append(Problem(place, unknown("key", key, asked)))
    return found + list(_bare_numbers(experiment))


def _bare_numbers(experiment: Experiment) -> Iterator[Problem]:
    """Quantities compared with a number without a unit, which none of them equals."""
    names = column_names(experiment)
    for place, key, value in _compared(experiment):
        # A column says the unit of its key's values, so it has another name.
        quantity = names.get(key, key).rpartition(".")[2] != key.rpartition(".")[2]
        if quantity and type(value) in (int, float):
            message = f"{key} is a quantity: write {value} with its unit"
            yield Problem(place, message)


def _compared(experiment: Experiment) -> Iterator[tuple[str, str, Any]]:
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
    """Mistakes in sections that no engine of the experiment looks at, with first swept values."""
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


def parse_figure(entry: Any, key: str) -> tuple[Figure | None, list[Problem]]:
    """One entry of `figures`: a mark with its fields."""
    if not isinstance(entry, Mapping) or len(entry) != 1:
        example = "{line: {x: topology.k, y: makespan_s}}"
        return None, [Problem(key, f"expected one mark with its fields, like {example}")]
    mark, fields = next(iter(entry.items()))
    model = FIGURES.get(str(mark))
    if model is None:
        return None, [Problem(key, unknown("figure", str(mark), FIGURES))]
    if not isinstance(fields, Mapping):
        return None, [Problem(f"{key}.{mark}", "expected fields, like {x: topology.k}")]
    try:
        return model.model_validate(dict(fields)), []
    except ValidationError as error:
        return None, problems(error, model, f"{key}.{mark}")


def figure_problems(experiment: Experiment) -> list[Problem]:
    """Figures of unknown marks, keys, metrics or engines."""
    found: list[Problem] = []
    keys = column_names(experiment)
    metrics = known_metrics(experiment.configs_dir)
    for i, entry in enumerate(experiment.settings.figures):
        figure, wrong = parse_figure(entry, f"figures[{i}]")
        found += wrong
        if figure is not None:
            place = f"figures[{i}].{next(iter(entry))}"
            found += _names(figure, place, keys, metrics, experiment.engines)
    answer, directions = experiment.settings.answer, metric_directions(experiment.configs_dir)
    found += name_problems(answer, keys, experiment.engines, directions)
    return found + _variant_problems(experiment, keys) + _reference_problems(experiment)


def _names(
    figure: Figure, place: str, keys: Iterable[str], metrics: Iterable[str], engines: Iterable[str]
) -> Iterator[Problem]:
    named = [(figure.keys(), "key", keys), (figure.metrics(), "metric", metrics or None)]
    for fields, word, known in named:
        for field, name in ((each, name) for each in fields for name in fields[each]):
            if known is not None and name not in known:
                yield Problem(f"{place}.{field}", unknown(word, name, known))
    for field, name in figure.engines().items():
        if name not in engines:
            yield Problem(f"{place}.{field}", unknown("engine", name, engines))


def _reference_problems(experiment: Experiment) -> list[Problem]:
    name, known = experiment.report.get("reference"), (*experiment.engines, "published")
    if name is None or name in known:
        return []
    return [Problem("report.reference", unknown("engine", name, known))]


def _variant_problems(experiment: Experiment, keys: Iterable[str]) -> list[Problem]:
    return [
        Problem(f"report.variants.{name}", unknown("key", key, keys))
        for name, settings in experiment.report.get("variants", {}).items()
        for key in settings
        if key not in keys
    ]


def known_metrics(configs_dir: Path) -> list[str]:
    """Metrics in the order of `report/metrics.yaml`; empty when there is no such file."""
    return list(metric_directions(configs_dir))


def metric_directions(configs_dir: Path) -> dict[str, str]:
    """The metrics of `report/metrics.yaml`, each with what is better: lower, higher or neutral."""
    file = configs_dir / "report" / "metrics.yaml"
    raw = parsed(file.read_text(encoding="utf-8")) if file.is_file() else {}
    fields = raw.items() if isinstance(raw, Mapping) else ()
    return {
        str(name): str(each.get("direction", "neutral") if isinstance(each, Mapping) else "neutral")
        for name, each in fields
    }
