"""Sections as an engine gets them: without keys it does not use, with the files it reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from weft.config.graphs.model import GraphProblem
from weft.config.language.errors import Problem
from weft.config.language.section import Settings, file_fields
from weft.config.model.engine import DeclaredEngine, EngineSettings
from weft.config.model.network import Network
from weft.config.model.topology import FromFile
from weft.config.model.workload import Program
from weft.config.points.places import Places
from weft.config.points.stored_network import StoredError, with_stored

Section = TypeVar("Section", bound=Settings)


def for_engine(
    engine: DeclaredEngine,
    section: str,
    model: Settings,
    kind: str | None,
    places: Places,
    machine: str,
) -> Settings | Problem:
    """`model` as `engine` gets it for a kind of workload, or what is wrong with the files that it
    names.

    Files are those that `places` finds. `machine` is the name of the chosen machine file.
    """
    if isinstance(model, Network):
        try:
            found = with_stored(model, places.root, machine)
        except StoredError as error:
            return error.problem
        return found.only(sections=engine.has_sections(kind), costs=engine.has_costs(kind))
    if isinstance(model, EngineSettings) and (lacking := engine.lacks(kind)):
        model = model.model_copy(update=dict.fromkeys(lacking))
    if isinstance(model, Program) and not engine.has_formulas:
        source = places.program(model.program)
        if source is None:
            return places.no_program(model.program)
        model = model.with_source(source if engine.program_source else None)
    if isinstance(model, FromFile):
        return _with_graph(_located(model, ("file", "routes"), places), places, section)
    files = file_fields(type(model))
    model = _located(model, files, places)
    for key in files:
        if problem := places.problem(getattr(model, key)):
            return Problem(f"{section}.{key}", problem)
    return model


def _located(model: Section, keys: Iterable[str], places: Places) -> Section:
    """The section with the paths of its files from the project; itself where none is another."""
    written = {key: getattr(model, key) for key in keys}
    found = {key: places.find(file) for key, file in written.items() if file is not None}
    changed = {key: file for key, file in found.items() if file != written[key]}
    return model.model_copy(update=changed) if changed else model


def _with_graph(model: FromFile, places: Places, section: str) -> FromFile | Problem:
    found = model
    for key, read in (("file", FromFile.reading), ("routes", FromFile.routed)):
        file = getattr(model, key)
        problem = places.problem(file)
        if problem is None:
            try:
                found = read(found, places.root)
                continue
            except GraphProblem as error:
                problem = f"{file} {error}" if error.line else f"{file}: {error}"
        return Problem(f"{section}.{key}", problem)
    if problem := found.rails_problem:
        return Problem(f"{section}.rails", problem)
    if problem := found.links_problem:
        return Problem(f"{section}.links", problem)
    if problem := found.failure_problem:
        return Problem(f"{section}.failed", problem)
    return found
