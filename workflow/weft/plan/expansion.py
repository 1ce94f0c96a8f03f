"""From one experiment to its points: every distinct question, once for each engine and seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow as pa

from weft.config import ConfigErrors, Experiment
from weft.config.language.section import Settings, section_of
from weft.config.load.placing import placed
from weft.config.model.declaration import OF_THE_LIBRARY
from weft.config.model.network import SECTIONS
from weft.config.points.column_names import column
from weft.config.points.placement import KEY as PLACEMENT
from weft.config.points.placement import OPTION
from weft.config.points.places import Places
from weft.config.points.questions import EachQuestion, Question, Questions
from weft.config.points.resolve import Part, part_spec
from weft.plan.columns import (
    COORDINATE,
    ID_BYTES,
    Codes,
    first_of_each,
    id_texts,
    point_table,
)
from weft.plan.identity import by_content
from weft.plan.model import PARTS, canonical_json
from weft.plan.points import Points


def expand(experiment: Experiment, mpi_library: str | None = None) -> Points:
    """All points, engine by engine, in the order of the sweep; equal questions appear once.

    `mpi_library` is the MPI of the machine, where an engine measures and the machine says it: a
    prediction beside a measurement of the library's collectives chooses algorithms as the library
    does, unless the experiment says otherwise.

    Raises ConfigErrors when a point is impossible, though `load_experiments` has found that out
    before.
    """
    expansion = _Expansion(experiment, Questions(experiment), mpi_library)
    for question in expansion.questions:
        expansion.add(question)
    return expansion.points()


class Expansions:
    """Points that are formed in one pass with the check of their experiments (`load_experiments`).

    `mpi_library` says of an experiment what `expand` asks for.
    """

    def __init__(self, mpi_library: Callable[[Experiment], str | None]) -> None:
        self._mpi_library = mpi_library
        self._begun: dict[Path, _Expansion] = {}

    def begin(self, experiment: Experiment, questions: Questions) -> EachQuestion:
        """Takes the questions of an experiment as they are checked."""
        self._begun[experiment.file] = begun = _Expansion(
            experiment, questions, self._mpi_library(experiment)
        )
        return begun.add

    def points(self, experiment: Experiment) -> Points:
        """The points of an experiment that was loaded, under whatever name, and is now let go; of
        one that others have loaded they are formed here."""
        begun = self._begun.pop(experiment.file, None)
        return begun.points() if begun else expand(experiment, self._mpi_library(experiment))


@dataclass(frozen=True, slots=True)
class _Plain:
    """A part as it enters specs: its canonical text as far as it names points, and the number of
    its whole text in its column."""

    naming: str
    number: int


class _Expansion:
    def __init__(
        self, experiment: Experiment, questions: Questions, mpi_library: str | None
    ) -> None:
        self.experiment = experiment
        self.mpi_library = mpi_library
        self.questions = questions
        self.places = Places.of(experiment)
        self.plain: dict[tuple[str, int, tuple[str, ...]], _Plain] = {}
        self.columns = {
            key: column(key, experiment.declared) for key in experiment.sweep.swept_keys()
        }
        self.looked_at: dict[tuple[str, str], set[str]] = {}
        self.parts = {name: Codes() for name in ("engine", *PARTS)}
        self.swept = {name: Codes() for name in self.columns.values()}
        #: Of all replicates of all questions: ids as bytes; of each question: its seeds.
        self.ids, self.seeds = bytearray(), list[range]()

    def points(self) -> Points:
        """All that were added."""
        if self.questions.impossible or not self.seeds:
            raise ConfigErrors(placed(self.experiment, self.questions.problems()))
        found, first = Points(self._table()), first_of_each(self.ids)
        return found if len(first) == len(found) else found.take(first)

    def _table(self) -> pa.Table:
        """Replicates of each question one after the other."""
        counts = np.array([len(seeds) for seeds in self.seeds], np.int64)
        starts = np.array([seeds.start for seeds in self.seeds], np.int64)
        replicates = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        seeds = np.repeat(starts, counts) + replicates
        coded = {**self.parts, **{COORDINATE + key: codes for key, codes in self.swept.items()}}
        columns = {name: codes.array(counts) for name, codes in coded.items()}
        return point_table(id_texts(self.ids), pa.array(replicates), pa.array(seeds), columns)

    def add(self, question: Question) -> None:
        """All replicates of a question."""
        engine, parts = question.engine, question.parts
        plain = {
            "topology": self._plain("topology", parts.get("topology")),
            "network": self._plain("network", parts.get("network")),
            "workload": self._plain("workload", parts["workload"]),
            "options": self._plain("options", question.options, self._as_measured(question)),
        }
        self.parts["engine"].add(engine)
        for name, part in plain.items():
            self.parts[name].add_number(part.number)
        coordinates = self._coordinates(question)
        for key, codes in self.swept.items():
            codes.add(canonical_json(coordinates[key]) if key in coordinates else None)
        # What names a point (`point_id`), put together from texts made once for each part.
        before, after = (
            f'{{"engine":"{engine}","network":{plain["network"].naming},'
            f'"options":{plain["options"].naming},"seed":'.encode(),
            f',"topology":{plain["topology"].naming},"workload":{plain["workload"].naming}}}'.encode(),
        )
        self.seeds.append(seeds := self.experiment.settings.seeds(engine))
        for seed in seeds:
            self.ids += sha256(b"%b%d%b" % (before, seed, after)).digest()[:ID_BYTES]

    def _as_measured(self, question: Question) -> tuple[str, ...]:
        """Options that a prediction takes from the machine's library unless the file sets them."""
        asked, engines = self.experiment.engines, self.experiment.declared
        measured = [name for name in asked if name in self.questions.measuring]
        model = question.options.model
        if self.mpi_library is None or not measured or question.engine in measured or not model:
            return ()
        return tuple(
            key
            for key in engines[question.engine].by_size
            if key not in model.model_fields_set
            and getattr(model, key) is not None
            and self.questions.resolver.value(question.assignment, f"engine.{measured[0]}.{key}")
            == OF_THE_LIBRARY
        )

    def _plain(self, name: str, part: Part | None, as_measured: tuple[str, ...] = ()) -> _Plain:
        # The resolver keeps its parts, so an id stands for one part only.
        key = name, id(part), as_measured
        if key not in self.plain:
            model = part.model if part else None
            root = self.experiment.configs_dir.parent
            spec = part_spec(model, root) if model else {}
            spec |= dict.fromkeys(as_measured, self.mpi_library)
            text, named = canonical_json(spec), by_content(spec)
            naming = text if named is spec else canonical_json(named)
            self.plain[key] = _Plain(naming, self.parts[name].number(text))
        return self.plain[key]

    def _coordinates(self, question: Question) -> dict[str, object]:
        """Swept keys that matter to the engine, under the names of their columns."""
        engine, kind = question.engine, getattr(question.parts["workload"].model, "kind", "")
        if (engine, kind) not in self.looked_at:
            keys = {key for key in self.columns if self._matters(engine, kind, key)}
            self.looked_at[engine, kind] = keys
        return {
            self.columns[key]: self._coordinate(key, value, question)
            for key, value in question.assignment.items()
            if key in self.looked_at[engine, kind]
        }

    def _matters(self, engine: str, kind: str, key: str) -> bool:
        if key == PLACEMENT and OPTION not in self.experiment.declared[engine].model.model_fields:
            return False
        if engine in self.questions.measuring:
            return key.startswith(("workload", "engine."))
        declared, (section, field) = self.experiment.declared[engine], section_of(key)
        if section == "network" and field.partition(".")[0] in SECTIONS:
            return declared.has_sections(kind)
        if section == f"engine.{engine}" and field in declared.lacks(kind):
            return False
        if key == "workload.arguments":
            return declared.reads_arguments
        return key != "workload.input" or declared.program_source

    def _coordinate(self, key: str, value: object, question: Question) -> object:
        if isinstance(value, bool | int | float):
            return value
        section, field = section_of(key)
        if not field:
            return value
        # A row of a zip may leave out a key that its kind does not even have.
        found = question.parts[section].model
        steps = field.split(".")
        chosen: object = reduce(lambda part, step: getattr(part, step, None), steps, found)
        if isinstance(chosen, list):
            return [each.spec() if isinstance(each, Settings) else each for each in chosen]
        # A file keeps the name that its experiment gives it, wherever the experiment lies.
        beside = isinstance(value, str) and chosen == self.places.find(value)
        return value if beside else chosen
