"""Sections as an engine gets them: without keys it does not use, with the files it reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast

from weft.config.graphs.model import GraphProblem
from weft.config.language.errors import Problem
from weft.config.language.section import Settings, file_fields
from weft.config.model.engine import DeclaredEngine, EngineSettings
from weft.config.model.jobs import Jobs, ReadyJobs, ready
from weft.config.model.network import Network
from weft.config.model.own_programs import COMMUNICATING
from weft.config.model.program_files import ProgramFiles, build_files
from weft.config.model.topology_from_file import FromFile
from weft.config.model.trace import Trace
from weft.config.model.workload import Program, SourceProgram
from weft.config.points.places import Places
from weft.config.points.program_build import BuildError, program_build
from weft.config.points.stored_network import StoredError, with_stored
from weft.config.points.trace_file import trace_ranks

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
    if stray := places.stray_file(section, model):
        return stray
    if isinstance(model, Network):
        try:
            found = with_stored(model, places.root, machine)
        except StoredError as error:
            return error.problem
        return found.only(sections=engine.has_sections(kind), costs=engine.has_costs(kind))
    if isinstance(model, EngineSettings) and (lacking := engine.lacks(kind)):
        model = model.model_copy(update=dict.fromkeys(lacking))
    if isinstance(model, Trace):
        return _replay(engine, _located(model, ["file"], places), places)
    if isinstance(model, Jobs):
        return ready_jobs(engine, model, places)
    if isinstance(model, Program) and engine.has_formulas:
        if isinstance(model.program, ProgramFiles):
            said = f"{engine.name} answers programs of weft by their names, none of several files"
            return Problem("workload.program", said)
    elif isinstance(model, Program):
        if refused := _not_built_for(engine, model):
            return refused
        program = _with_program(model, places, engine.program_source)
        if isinstance(program, Problem):
            return program
        model = program
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


def _not_built_for(engine: DeclaredEngine, model: Program) -> Problem | None:
    """A program that is not compiled from its sources, for an engine that can do nothing else."""
    own = model.program
    if not isinstance(own, ProgramFiles) or own.sources or engine.program == "crate":
        return None
    if own.executable is not None:
        said = f"{engine.name} runs no program that weft-cc has linked for simulators"
        return Problem("workload.program.executable", f"{said}; write build, or sources")
    if engine.measures:
        return None
    said = f"{engine.name} compiles programs itself and runs no Makefile of theirs; write sources"
    return Problem("workload.program.build", said)


def _with_program(model: Program, places: Places, reads_source: bool) -> Program | Problem:
    if not isinstance(model.program, ProgramFiles):
        source = places.program(model.program)
        if source is None:
            return places.no_program(model.program)
        if stray := places.stray(places.root / source):
            return Problem("workload.program", f"{source} leads to {stray}")
        return model.with_source(source if reads_source else None)
    try:
        build = program_build(model.program, places)
    except BuildError as error:
        return error.problem
    return model.with_source(build_files(build)[0] if reads_source else None, build)


def _replay(engine: DeclaredEngine, model: Trace, places: Places) -> Program | Problem:
    """The program that replays the trace, where the engine runs programs on a simulated network."""
    if not (engine.program_source and engine.program == "crate"):
        said = f"{engine.name} replays no traces; use flow, packet, rdma or anet"
        return Problem("workload.file", said)
    if problem := places.problem(model.file):
        return Problem("workload.file", problem)
    found = trace_ranks(places.root, model.file)
    if isinstance(found, str):
        return Problem("workload.file", found)
    if model.ranks not in (None, found):
        said = f"{model.ranks}, but {model.file} has {found}; a trace has the ranks of its program"
        return Problem("workload.ranks", said, ("workload.ranks", "workload.file"))
    # The shipped program, whatever lies beside the experiment.
    return _with_program(model.program(found), Places(places.configs_dir), reads_source=True)


def ready_jobs(engine: DeclaredEngine, model: Jobs, places: Places) -> ReadyJobs | Problem:
    """The jobs with the program of each, where the engine runs programs on a simulated network."""
    if not (engine.program_source and engine.program == "crate"):
        said = f"{engine.name} runs no jobs; use flow, packet, rdma or anet"
        return Problem("workload.kind", said)
    if problem := places.problem(_located(model, ["placement_file"], places).used_file):
        return Problem("workload.placement_file", problem)
    programs: list[SourceProgram] = []
    for number, job in enumerate(model.jobs):
        found = _of_job(engine, job.workload, places)
        if isinstance(found, Problem):
            return _in_job(number, found)
        programs.append(found)
    named = (program.source for program in programs if program.source not in COMMUNICATING)
    return ready(model, programs, next(named, programs[0].source))


def _of_job(
    engine: DeclaredEngine, workload: Program | Trace, places: Places
) -> SourceProgram | Problem:
    if isinstance(workload, Trace):
        found = _replay(engine, _located(workload, ["file"], places), places)
    elif refused := _not_built_for(engine, workload):
        return refused
    else:
        found = _with_program(_located(workload, ["input"], places), places, reads_source=True)
    if isinstance(found, SourceProgram):
        if "make" in (found.build or {}):
            said = "a job runs no program of its own Makefile; write sources, or executable"
            return Problem("workload.program.build", said)
        if problem := places.problem(found.input):
            return Problem("workload.input", problem)
        return found
    return cast("Problem", found)


def _in_job(number: int, problem: Problem) -> Problem:
    """What is wrong with a job, under the keys that it has among others."""
    own = problem.key.removeprefix("workload.")
    key = f"workload.jobs[{number}].{'trace' if own == 'file' else own}"
    return Problem(key, problem.message, ("workload.jobs",))


def program_files(model: Program, places: Places) -> list[str]:
    """The files of a program, by their paths from the project; none if there is no such program."""
    if isinstance(model.program, ProgramFiles):
        try:
            return build_files(program_build(model.program, places))
        except BuildError:
            return []
    source = places.program(model.program)
    return [source] if source else []


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
    if problem := found.root_problem:
        return Problem(f"{section}.root", problem)
    if problem := found.rails_problem:
        return Problem(f"{section}.rails", problem)
    if problem := found.links_problem:
        return Problem(f"{section}.links", problem)
    if problem := found.failure_problem:
        return Problem(f"{section}.failed", problem)
    return found
