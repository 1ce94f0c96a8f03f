"""The experiment file, and the experiment once it is composed and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Discriminator, Field, Tag, ValidationInfo

from weft.config.language.errors import unknown
from weft.config.language.section import Settings, key_names
from weft.config.model.answer import AnswerRequest
from weft.config.model.engine import Engines
from weft.config.model.expectation import Expectation
from weft.config.model.figure import Figure
from weft.config.model.placed import Placed
from weft.config.model.report import Report
from weft.config.model.sweep import Sweep
from weft.config.model.topology import Count
from weft.machine import MachineFile

#: Sections that are chosen by group and decide a point, and those that do not.
POINT_GROUPS = ("topology", "network", "workload")
OTHER_GROUPS = ("machine", "report")
GROUPS = (*POINT_GROUPS, *OTHER_GROUPS)


def _engines(names: list[str], info: ValidationInfo) -> list[str]:
    # The declared engines come as the context of a validation.
    known = (info.context or {}).get("engines", names)
    for name in names:
        if name not in known:
            raise ValueError(unknown("engine", name, known))
    if doubled := [name for place, name in enumerate(names) if name in names[:place]]:
        raise ValueError(f"{doubled[0]} is listed twice")
    return names


def _counted(given: int | dict[str, int], info: ValidationInfo) -> int | dict[str, int]:
    if isinstance(given, dict):
        asked = info.data.get("engines", list(given))
        for name in given:
            if name not in asked:
                raise ValueError(unknown("engine", name, asked))
    return given


def _branch(given: object) -> str:
    return "dict" if isinstance(given, Mapping) else "int"


def _written(text: str) -> str:
    if not text.strip():
        raise ValueError("expected a text, got blanks only")
    return text


Replicates = Annotated[
    Annotated[Count, Tag("int")] | Annotated[dict[str, Count], Tag("dict")],
    Discriminator(_branch),
    AfterValidator(_counted),
]


class ExperimentFile(Settings):
    """Everything an experiment file may say, after composition."""

    title: Annotated[str, Field(min_length=1), AfterValidator(_written)]
    """Heading of the report."""
    question: Annotated[str, Field(min_length=1), AfterValidator(_written)]
    """The question that the experiment answers."""
    paper: str | None = None
    """The paper in `configs/paper/` whose report shows this experiment."""
    engines: Annotated[list[str], Field(min_length=1), AfterValidator(_engines)]
    """The engines that answer."""
    seed: Annotated[int, Field(ge=0)] = 1
    """Seed of the first replicate; the others count up from it."""
    replicates: Replicates = 1
    """How often each point is computed, each time with another seed; a section gives the number for
    each engine, 1 for those that it leaves out."""
    quick: list[str] = Field(default_factory=list)
    """Overrides that make a short form of the experiment, for `--config effort=quick`."""
    sweep: dict[str, object] = Field(default_factory=dict)
    """What varies."""
    figures: list[object] = Field(default_factory=list)
    """What the report shows."""
    answer: str | list[object] | dict[str, object] = Field(default_factory=list)
    """The question, or list of questions, that the top of the report answers; unless given, they
    follow from the figures."""
    expect: list[object] = Field(default_factory=list)
    """What shall come out, stated before the run; the report shows beside it what did."""
    topology: dict[str, object] = Field(default_factory=dict)
    """Changes to the chosen topology."""
    network: dict[str, object] = Field(default_factory=dict)
    """Changes to the chosen network."""
    workload: dict[str, object] = Field(default_factory=dict)
    """Changes to the chosen workload."""
    engine: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Options of engines, by engine."""
    machine: dict[str, object] = Field(default_factory=dict)
    """Changes to the chosen machine."""
    report: dict[str, object] = Field(default_factory=dict)
    """Changes to the chosen report options."""

    def seeds(self, engine: str) -> range:
        """Seeds with which each point of `engine` is computed."""
        counts = self.replicates
        count = counts if isinstance(counts, int) else counts.get(engine, 1)
        return range(self.seed, self.seed + count)


#: Chosen groups, sorted: (("topology", "torus"), ("workload", "uniform")).
Choices = tuple[tuple[str, str], ...]
#: Swept keys, each with one of its values.
Assignment = Mapping[str, object]
#: Composed sections by name, as written: nothing is known of their values before a model has them.
Sections = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Experiment:
    """One experiment, composed for every combination of groups its sweep asks for.

    `declared` holds every engine of `configs_dir`, asked or not, and `bases` the sections as
    written (units and all) by combination of swept groups; `machine`, `report`, `figures`,
    `questions` and `expectations` are checked and in SI units, but for bounds of expectations.
    `linked` has the same as `bases`, and all other sections, where values refer to others.
    """

    name: str
    file: Path
    configs_dir: Path
    settings: ExperimentFile
    sweep: Sweep
    bases: Mapping[Choices, Sections]
    machine: MachineFile
    report: Report
    figures: tuple[Placed[Figure], ...]
    questions: tuple[Placed[AnswerRequest], ...]
    expectations: tuple[Placed[Expectation], ...]
    declared: Engines
    overrides: tuple[str, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    linked: Mapping[Choices, Sections] = field(default_factory=dict)

    @property
    def engines(self) -> tuple[str, ...]:
        """Names of the engines that answer."""
        return tuple(self.settings.engines)

    def base(self, assignment: Assignment) -> tuple[Choices, Sections]:
        """The composed sections that belong to the swept groups of `assignment`."""
        swept = self.sweep.groups()
        wanted = tuple(sorted((g, str(assignment.get(g, self.choices[g]))) for g in swept))
        return wanted, self.bases[wanted]


def fields_of(model: type[BaseModel]) -> list[str]:
    """Keys of a section that may be swept: all but its kind."""
    return [name for name in key_names(model) if name not in ("kind", "shard_points")]
