"""Sections as an engine gets them: without keys it does not use, with the files it reads."""

from __future__ import annotations

from pathlib import Path

from weft.config.graphs.model import GraphProblem
from weft.config.language.errors import Problem, nearest, unknown
from weft.config.language.section import Settings, file_fields
from weft.config.model.engine import DeclaredEngine, EngineSettings
from weft.config.model.network import Network
from weft.config.model.topology import FromFile
from weft.config.model.workload import Program
from weft.config.points.stored_network import StoredError, with_stored

SHIPPED = "programs"


def for_engine(
    engine: DeclaredEngine,
    section: str,
    model: Settings,
    kind: str | None,
    configs_dir: Path,
    machine: str,
) -> Settings | Problem:
    """`model` as `engine` gets it for a kind of workload, or what is wrong with the files that it
    names.

    Programs are looked for beside the experiments of `configs_dir`, then in the project's
    `programs/`; paths of other files count from the project. `machine` is the name of the chosen
    machine file.
    """
    if isinstance(model, Network):
        try:
            found = with_stored(model, configs_dir.parent, machine)
        except StoredError as error:
            return error.problem
        return found.only(sections=engine.has_sections(kind), costs=engine.has_costs(kind))
    if isinstance(model, EngineSettings) and (lacking := engine.lacks(kind)):
        model = model.model_copy(update=dict.fromkeys(lacking))
    if isinstance(model, Program) and not engine.has_formulas:
        source = program_source(configs_dir, model.program)
        if source is None:
            return _no_program(configs_dir, model.program)
        model = model.with_source(source if engine.program_source else None)
    if isinstance(model, FromFile):
        return _with_graph(model, configs_dir.parent, section)
    for key in file_fields(type(model)):
        if problem := _file_problem(configs_dir.parent, getattr(model, key)):
            return Problem(f"{section}.{key}", problem)
    return model


def _with_graph(model: FromFile, root: Path, section: str) -> FromFile | Problem:
    found = model
    for key, read in (("file", FromFile.reading), ("routes", FromFile.routed)):
        file = getattr(model, key)
        problem = _file_problem(root, file)
        if problem is None:
            try:
                found = read(found, root)
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


def program_source(configs_dir: Path, name: str) -> str | None:
    """The path of a program's source from the project; None if there is no such program."""
    found = (folder / f"{name}.c" for folder in _folders(configs_dir))
    path = next((path for path in found if path.is_file()), None)
    return str(path.relative_to(configs_dir.parent)) if path else None


def _folders(configs_dir: Path) -> tuple[Path, Path]:
    return configs_dir / "experiment", configs_dir.parent / SHIPPED


def _no_program(configs_dir: Path, name: str) -> Problem:
    folders = _folders(configs_dir)
    known = {path.stem for folder in folders for path in folder.glob("*.c")}
    looked = " and ".join(str(f.relative_to(configs_dir.parent)) for f in folders)
    message = f"{unknown('program', name, known)} (looked for {name}.c in {looked})"
    return Problem("workload.program", message)


def _file_problem(root: Path, file: str | None) -> str | None:
    if file is None:
        return None
    path = root / file
    try:
        with path.open("rb"):
            return None
    except FileNotFoundError:
        beside = sorted(str(p.relative_to(root)) for p in path.parent.glob("*") if p.is_file())
        guess = nearest(file, beside)
        return f"there is no file {file} (looked in {root}){guess}"
    except OSError as error:
        return f"{file} cannot be read: {error.strerror}"
