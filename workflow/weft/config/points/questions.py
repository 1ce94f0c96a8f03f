"""Every combination of engine and swept values, with its checked sections."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from weft.config.language.errors import Problem
from weft.config.language.section import Settings
from weft.config.model.capabilities import Capabilities
from weft.config.model.experiment import POINT_GROUPS, Assignment, Experiment
from weft.config.model.network import SECTIONS, Network
from weft.config.model.sweep import Sweep, serves
from weft.config.model.topology_base import Topology
from weft.config.model.workload import Program, Workload
from weft.config.points.cycle_latencies import latency_problems
from weft.config.points.engine_support import cross_problems
from weft.config.points.flit_buffers import flit_buffer_problems
from weft.config.points.picosecond_range import scale_problems
from weft.config.points.placement import is_measured, placing_key, unmeasured
from weft.config.points.resolve import Part, Resolver

#: A wrong sweep can be wrong at every point; more lines than this do not help.
_MOST_PROBLEMS = 20
_NOT_MEASURED = Problem(
    "network.calibrated_from",
    "the network is fitted from a ping-pong: engines needs hardware, or report.reference names an "
    "engine that simulates it, and one workload must be the program pingpong",
)


@dataclass(frozen=True, slots=True)
class Question:
    """One question to one engine, before seeds: `parts` holds the sections that matter to it."""

    engine: str
    assignment: Assignment
    parts: Mapping[str, Part]

    @property
    def options(self) -> Part:
        """The engine's own section."""
        return self.parts[f"engine.{self.engine}"]


#: What else is made of each question on the way.
EachQuestion = Callable[[Question], None]


class Questions:
    """Iterates over the sound questions of an experiment and keeps what is wrong with others.

    If a part of a section is unknown, each section is checked `apart` from the others.
    """

    def __init__(self, experiment: Experiment, *, apart: bool = False) -> None:
        self._apart = apart
        self.resolver = Resolver(experiment)
        self.measuring = frozenset(n for n, each in experiment.declared.items() if each.measures)
        measuring = self.measuring & {*experiment.engines}
        self._true = measuring or {experiment.report.reference}
        self._experiment = experiment
        self._crossed: dict[tuple[str, int, int, int], list[Problem]] = {}
        self._scaled: dict[tuple[str, int, int], list[Problem]] = {}
        self._refused: dict[tuple[object, ...], list[Problem]] = {}
        self._specs: dict[int, Mapping[str, object]] = {}
        self._texts: dict[int, str] = {}
        self.impossible: dict[Problem, tuple[str, Assignment]] = {}

    def __iter__(self) -> Iterator[Question]:
        for engine in self._experiment.engines:
            sections = ["workload"] if engine in self.measuring else [*POINT_GROUPS]
            sections.append(f"engine.{engine}")
            for assignment in self._experiment.sweep.assignments(engine, self.resolver.value):
                parts = self.resolver.parts_for(engine, sections, assignment)
                wrong = self._wrong(engine, assignment, parts)
                for problem in wrong:
                    self.impossible.setdefault(problem, (engine, assignment))
                if not wrong:
                    yield Question(engine, assignment, parts)

    def problems(self, alone: bool = True, each: EachQuestion | None = None) -> list[Problem]:
        """All mistakes, each with the first values at which it occurs; it looks at every question.

        If there are other mistakes (not `alone`), what points lack as a whole is not reported.
        `each` is called with the sound questions up to the first mistake.
        """
        # One at a time: a million of them would take a gigabyte.
        asked = calibrated = measured = False
        placed: dict[str, str] = {}
        places: set[str] = set()
        for question in self:
            asked = True
            if each and not self.impossible:
                each(question)
            calibrated = calibrated or _is_calibrated(question)
            measured = measured or self._gives_pingpong(question)
            workload = question.parts["workload"]
            if question.engine in self.measuring:
                places.add(self._text(workload))
            elif is_measured(question.options.model):
                placed.setdefault(
                    self._text(workload), placing_key(question.engine, workload.model)
                )
        if self.impossible:
            sweep = self._experiment.sweep
            found = [
                _placed(problem, assignment, _left_unswept(sweep, engine, problem))
                for problem, (engine, assignment) in self.impossible.items()
            ]
            more = len(found) - _MOST_PROBLEMS
            rest = [Problem("sweep", f"{more} more mistakes of this kind")] if more > 0 else []
            return found[:_MOST_PROBLEMS] + rest
        if not alone:
            return []
        if not asked:
            return [Problem("sweep", "the sweep is empty: every point is excluded")]
        lacking = [_NOT_MEASURED] if calibrated and not measured else []
        return lacking + unmeasured(placed, places)

    def _wrong(
        self, engine: str, assignment: Assignment, parts: Mapping[str, Part]
    ) -> list[Problem]:
        wrong = [problem for part in parts.values() for problem in part.problems]
        if wrong or self._apart:
            return wrong
        workload = parts["workload"]
        # A measurement has no simulated topology; its part is not looked at.
        topology = parts.get("topology", workload)
        options = parts[f"engine.{engine}"]
        key = (engine, id(topology), id(workload), id(options))
        declared = self._experiment.declared[engine]
        if key not in self._crossed:
            self._crossed[key] = cross_problems(
                declared,
                cast("Topology", topology.model),
                cast("Workload", workload.model),
                cast("Settings", options.model),
                self._experiment.machine,
                self._experiment.configs_dir.parent,
            )
        network = parts["network"].model if "network" in parts else None
        crossed = self._crossed[key]
        kind = getattr(workload.model, "kind", None)
        if isinstance(network, Network):
            own = cast("Settings", options.model)
            # weft's simulators take lists and traffic on links alone at any rate.
            of_links = kind != "program" and not any(getattr(network, key) for key in SECTIONS)
            takes_any = declared.program_source and of_links
            runs_programs = declared.program_source and kind == "program"
            if (declared.has_sections(kind) or runs_programs) and not takes_any:
                crossed = crossed or self._scale(engine, network, own)
            wide, sent = cast("Topology", topology.model), cast("Workload", workload.model)
            crossed = crossed or [*latency_problems(engine, network, wide, sent, own)]
        return crossed or self._refusals(declared.capabilities, parts)

    def _scale(self, engine: str, network: Network, options: Settings) -> list[Problem]:
        key = (engine, id(network), id(options))
        if key not in self._scaled:
            buffers = flit_buffer_problems(engine, network, options)
            self._scaled[key] = [*scale_problems(engine, network, options), *buffers]
        return self._scaled[key]

    def _refusals(self, capabilities: Capabilities, parts: Mapping[str, Part]) -> list[Problem]:
        """Why the engine does not answer; what a rule says of sections is found out once."""
        spec = self._spec(parts)
        if unanswered := capabilities.unanswered(spec):
            return unanswered
        found: list[Problem] = []
        for sections, rules in capabilities.rules:
            key = (capabilities.engine, *((name, id(spec.get(name))) for name in sections))
            if key not in self._refused:
                self._refused[key] = capabilities.refused(spec, rules)
            found += self._refused[key]
        return found

    def _spec(self, parts: Mapping[str, Part]) -> dict[str, Mapping[str, object]]:
        """The sections of a point's spec; the resolver keeps parts, so ids stand for them."""
        found: dict[str, Mapping[str, object]] = {}
        for name, part in parts.items():
            if id(part) not in self._specs:
                self._specs[id(part)] = part.model.spec() if part.model else {}
            found["options" if name.startswith("engine.") else name] = self._specs[id(part)]
        return found

    def _text(self, workload: Part) -> str:
        """A text that differs for different workloads."""
        if id(workload) not in self._texts:
            spec = workload.model.spec() if workload.model else {}
            self._texts[id(workload)] = json.dumps(spec, sort_keys=True)
        return self._texts[id(workload)]

    def _gives_pingpong(self, question: Question) -> bool:
        """Whether a network can be fitted from its answer: a measurement, or else the reference."""
        workload = question.parts["workload"].model
        true = question.engine in self._true and not _is_calibrated(question)
        return true and isinstance(workload, Program) and workload.program == "pingpong"


def _is_calibrated(question: Question) -> bool:
    network = question.parts.get("network")
    return network is not None and bool(getattr(network.model, "calibrated_from", None))


def _left_unswept(sweep: Sweep, engine: str, problem: Problem) -> str:
    """Why `engine` lacks what the sweep gives to points of another one."""
    section = problem.key.partition(".")[0]
    for axis in sweep.axes:
        options = next((key for key in axis.keys if not serves(key, engine)), None)
        given = [key for key in axis.keys if key.partition(".")[0] == section != "engine"]
        if options and given:
            only = options.split(".")[1]
            return f" (for {engine}: sweep.zip has {given[0]} beside {options}, so only for {only})"
    return ""


def _placed(problem: Problem, assignment: Assignment, hint: str) -> Problem:
    section = problem.key.rpartition(".")[0] or problem.key
    # Whether a workload is possible depends on the topology, too.
    related = ("workload", "topology") if section == "workload" else (section,)
    exact = {*problem.related, *(key.partition(".")[0] for key in problem.related)}
    blamed = {
        key: value
        for key, value in assignment.items()
        if (key in exact if exact else key.startswith(related))
    }
    if not blamed:
        return replace(problem, message=problem.message + hint)
    # As a file writes it.
    words = {key: "null" if value is None else value for key, value in blamed.items()}
    values = ", ".join(f"{key}={value}" for key, value in words.items())
    hint = hint or f" (at {values}; sweep.exclude leaves points out)"
    swept = tuple((key, str(value)) for key, value in assignment.items())
    return Problem(problem.key, problem.message + hint, swept=swept)
