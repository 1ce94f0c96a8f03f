"""From one experiment to its points: every distinct question, once for each engine and seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from typing import Any

from weft.config import ConfigErrors, Experiment
from weft.config.language.errors import ConfigError
from weft.config.language.section import section_of
from weft.config.language.yaml_files import shown_path
from weft.config.model.network import SECTIONS
from weft.config.points.column_names import column
from weft.config.points.questions import Question, Questions
from weft.config.points.resolve import Part, part_spec
from weft.plan.model import Point, canonical_json


def expand(experiment: Experiment) -> tuple[Point, ...]:
    """All points, engine by engine, in the order of the sweep; equal questions appear once.

    Raises ConfigErrors when a point is impossible, though `load_experiments` has found that out
    before.
    """
    return _Expansion(experiment).points()


@dataclass(frozen=True, slots=True)
class _Plain:
    """A part as it enters specs, with its canonical text."""

    value: Mapping[str, Any]
    text: str


_NOTHING = _Plain({}, "{}")


class _Expansion:
    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.questions = Questions(experiment)
        self.plain: dict[int, _Plain] = {}
        self.columns = {
            key: column(key, experiment.declared) for key in experiment.sweep.swept_keys()
        }

    def points(self) -> tuple[Point, ...]:
        found: dict[str, Point] = {}
        for question in self.questions:
            for point in self._replicates(question):
                found.setdefault(point.point_id, point)
        if self.questions.impossible or not found:
            file = shown_path(self.experiment.configs_dir, self.experiment.file)
            wrong = self.questions.problems()
            raise ConfigErrors(ConfigError(file, each.key, each.message) for each in wrong)
        return tuple(found.values())

    def _replicates(self, question: Question) -> Iterator[Point]:
        engine, parts = question.engine, question.parts
        topology, network = self._plain(parts.get("topology")), self._plain(parts.get("network"))
        workload, options = self._plain(parts["workload"]), self._plain(question.options)
        coordinates = self._coordinates(question)
        for replicate, seed in enumerate(self.experiment.settings.seeds(engine)):
            # The canonical JSON of `spec`, put together from texts made once for each part.
            text = (
                f'{{"engine":"{engine}","network":{network.text},"options":{options.text},'
                f'"seed":{seed},"topology":{topology.text},"workload":{workload.text}}}'
            )
            spec = {
                "engine": engine,
                "topology": topology.value,
                "network": network.value,
                "workload": workload.value,
                "options": options.value,
                "seed": seed,
            }
            point_id = sha256(text.encode()).hexdigest()[:12]
            yield Point(point_id, engine, replicate, seed, spec, coordinates)

    def _plain(self, part: Part | None) -> _Plain:
        if part is None or part.model is None:
            return _NOTHING
        # The resolver keeps its parts, so an id stands for one part only.
        if id(part) not in self.plain:
            value = part_spec(part.model, self.experiment.configs_dir.parent)
            self.plain[id(part)] = _Plain(value, canonical_json(value))
        return self.plain[id(part)]

    def _coordinates(self, question: Question) -> dict[str, Any]:
        """Swept keys that matter to the engine, under the names of their columns."""
        return {
            self.columns[key]: self._coordinate(key, value, question)
            for key, value in question.assignment.items()
            if self._matters(question.engine, key)
        }

    def _matters(self, engine: str, key: str) -> bool:
        if engine in self.questions.measuring:
            return key.startswith(("workload", "engine."))
        declared, (section, field) = self.experiment.declared[engine], section_of(key)
        if section == "network" and field.partition(".")[0] in SECTIONS:
            return declared.network_sections
        return key not in ("workload.arguments", "workload.input") or declared.program_source

    def _coordinate(self, key: str, value: Any, question: Question) -> Any:
        section, field = section_of(key)
        if not field or isinstance(value, bool | int | float):
            return value
        return reduce(getattr, field.split("."), question.parts[section].model)
