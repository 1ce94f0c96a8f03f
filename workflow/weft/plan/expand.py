"""From one experiment to its points: every distinct question, once for each engine and seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from weft.config import ConfigErrors, Experiment, try_load
from weft.config.checks import cross_problems
from weft.config.engine import MEASURING
from weft.config.errors import ConfigError, Problem
from weft.config.experiment import POINT_GROUPS
from weft.config.names import column
from weft.config.origin import shown_path
from weft.config.resolve import Part, Resolver, part_spec
from weft.config.topology import Topology
from weft.config.workload import Workload
from weft.plan.model import Point, canonical_json

#: A wrong sweep can be wrong at every point; more lines than this help nobody.
_MOST_ERRORS = 20


@dataclass(frozen=True, slots=True)
class _Plain:
    """A part as it enters specs, with its canonical text."""

    value: Mapping[str, Any]
    text: str


_NOTHING = _Plain({}, "{}")


def expand(experiment: Experiment) -> tuple[Point, ...]:
    """All points, engine by engine, in the order of the sweep; equal questions appear once.

    Raises ConfigErrors that name the values at which a point is impossible.
    """
    return _Expansion(experiment).points()


def load_expanded(
    configs_dir: Path,
    names: Sequence[str] | None = None,
    overrides: Mapping[str, Sequence[str]] | None = None,
) -> list[tuple[Experiment, tuple[Point, ...]]]:
    """Experiments with their points.

    Raises ConfigErrors with the mistakes of all files and of all their points together.
    """
    experiments, errors = try_load(configs_dir, names, overrides)
    expanded = []
    for experiment in experiments:
        try:
            expanded.append((experiment, expand(experiment)))
        except ConfigErrors as found:
            errors += found.errors
    if errors:
        raise ConfigErrors(errors)
    return expanded


class _Expansion:
    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.root = experiment.configs_dir.parent
        self.resolver = Resolver(experiment)
        self.plain: dict[int, _Plain] = {}
        self.crossed: dict[tuple[str, int, int], list[Problem]] = {}
        self.columns = {key: column(key) for key in experiment.sweep.keys()}
        self.problems: dict[Problem, Mapping[str, Any]] = {}

    def points(self) -> tuple[Point, ...]:
        found: dict[str, Point] = {}
        for engine in self.experiment.engines:
            for assignment in self.experiment.sweep.assignments(engine, self.resolver.value):
                for point in self._replicates(engine, assignment):
                    found.setdefault(point.point_id, point)
        points = tuple(found.values())
        if not self.problems:
            self._check_whole(points)
        if self.problems:
            raise ConfigErrors(self._errors())
        return points

    def _replicates(self, engine: str, assignment: Mapping[str, Any]) -> Iterator[Point]:
        parts = self._parts(engine, assignment)
        if parts is None:
            return
        topology, network, workload, options = parts
        settings = self.experiment.settings
        coordinates = self._coordinates(engine, assignment)
        for replicate in range(settings.replicates):
            seed = settings.seed + replicate
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

    def _parts(self, engine: str, assignment: Mapping[str, Any]) -> list[_Plain] | None:
        measuring = engine in MEASURING
        sections = ["workload"] if measuring else list(POINT_GROUPS)
        sections.append(f"engine.{engine}")
        parts = {name: self.resolver.part(name, assignment) for name in sections}
        wrong = [problem for part in parts.values() for problem in part.problems]
        if not wrong:
            topology = parts.get("topology") or self.resolver.part("topology", assignment)
            wrong = self._cross(engine, topology, parts["workload"])
        for problem in wrong:
            self.problems.setdefault(problem, assignment)
        if wrong:
            return None
        workload, options = self._plain(parts["workload"]), self._plain(parts[f"engine.{engine}"])
        if measuring:
            return [_NOTHING, _NOTHING, workload, options]
        topology_plain = self._plain(parts["topology"])
        return [topology_plain, self._plain(parts["network"]), workload, options]

    def _plain(self, part: Part) -> _Plain:
        # The resolver keeps its parts, so an id stands for one part only.
        if id(part) not in self.plain:
            assert part.model is not None, "only sound parts become plain"
            value = part_spec(part.model, self.root)
            self.plain[id(part)] = _Plain(value, canonical_json(value))
        return self.plain[id(part)]

    def _cross(self, engine: str, topology: Part, workload: Part) -> list[Problem]:
        key = (engine, id(topology), id(workload))
        if key not in self.crossed:
            self.crossed[key] = cross_problems(
                engine,
                cast("Topology", topology.model),
                cast("Workload", workload.model),
                int(self.experiment.machine.get("ranks", 0)),
                self.root,
            )
        return self.crossed[key]

    def _coordinates(self, engine: str, assignment: Mapping[str, Any]) -> dict[str, Any]:
        relevant = ("workload", f"engine.{engine}") if engine in MEASURING else None
        return {
            self.columns[key]: self._coordinate(key, value, assignment)
            for key, value in assignment.items()
            if relevant is None or key.startswith(relevant)
        }

    def _coordinate(self, key: str, value: Any, assignment: Mapping[str, Any]) -> Any:
        section, _, field = key.rpartition(".")
        if not section or isinstance(value, bool | int | float):
            return value
        return getattr(self.resolver.part(section, assignment).model, field)

    def _check_whole(self, points: Sequence[Point]) -> None:
        if not points:
            self.problems[Problem("sweep", "the sweep is empty: every point is excluded")] = {}
        wanted = any(point.spec["network"].get("calibrated_from") for point in points)
        measured = any(
            point.engine == "hardware" and point.spec["workload"].get("program") == "pingpong"
            for point in points
        )
        if wanted and not measured:
            message = (
                "the network is fitted from a ping-pong, so engines needs hardware and one "
                "workload must be the program pingpong"
            )
            self.problems[Problem("network.calibrated_from", message)] = {}

    def _errors(self) -> list[ConfigError]:
        file = shown_path(self.experiment.configs_dir, self.experiment.file)
        errors = [
            ConfigError(file, problem.key, problem.message + _at(assignment))
            for problem, assignment in self.problems.items()
        ]
        more = len(errors) - _MOST_ERRORS
        hint = [ConfigError(file, "sweep", f"{more} more impossible points")] if more > 0 else []
        return errors[:_MOST_ERRORS] + hint


def _at(assignment: Mapping[str, Any]) -> str:
    if not assignment:
        return ""
    values = ", ".join(f"{key}={value}" for key, value in assignment.items())
    return f" (at {values}; use sweep.exclude to leave it out)"
