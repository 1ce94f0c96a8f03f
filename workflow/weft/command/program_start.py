"""How a new experiment names a program that exists: its sources, or what builds it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from weft.files.languages import ENDINGS, language_of
from weft.read import Project, ReadError

TEMPLATE = Path(__file__).with_name("program.yaml")
#: The line of the template that the program replaces.
PLACE = "sources: [PROGRAM]"
#: What the names of programs do not hold.
NO_NAME = re.compile(r"[^A-Za-z0-9_-]+")
#: Files of a project that builds itself, and the commands that build it with weft's compilers.
COMPILERS = "CC=weft-cc, CXX=weft-c++, FC=weft-fc"
BUILDS = {
    "Makefile": (f"[make, {COMPILERS}]",),
    "makefile": (f"[make, {COMPILERS}]",),
    "GNUmakefile": (f"[make, {COMPILERS}]",),
    "CMakeLists.txt": (
        "[cmake, -S, ., -B, ., -DCMAKE_C_COMPILER=weft-cc, -DCMAKE_CXX_COMPILER=weft-c++, "
        "-DCMAKE_Fortran_COMPILER=weft-fc]",
        "[cmake, --build, .]",
    ),
}


def program_experiment(project: Project, program: Path, executable: str | None) -> str:
    """The text of an experiment of `program`: a source, a folder of sources, or a folder with a
    Makefile or CMakeLists.txt that makes `executable`, a path from this folder.

    Raises ReadError when there is no such program, when it lies outside of the project, and when
    it is not clear how it is built.
    """
    there = program.expanduser().resolve()
    if not there.exists():
        raise ReadError(f"{program} does not exist")
    root = (project.own or project.root).resolve()
    if not there.is_relative_to(root):
        own = there.parent
        raise ReadError(
            f"{there} lies outside of {root}: copy it there, or put the experiment beside it with "
            f"weft --experiments {own} new NAME --program {there}"
        )
    path = os.path.relpath(there, project.experiment_folder.resolve())
    lines = _lines(there, path, executable)
    text = TEMPLATE.read_text()
    lines = [f"name: {NO_NAME.sub('_', there.stem)}", *lines]
    indent = next(line for line in text.splitlines() if PLACE in line).removesuffix(PLACE)
    return text.replace(f"{indent}{PLACE}", "\n".join(indent + line for line in lines))


def _lines(there: Path, path: str, executable: str | None) -> list[str]:
    """The keys below `workload.program`."""
    build = next((name for name in BUILDS if (there / name).is_file()), None)
    if build is None and executable:
        raise ReadError(f"{there} has neither a Makefile nor a CMakeLists.txt to make {executable}")
    if there.is_file():
        if language_of(there.name) is None:
            known = ", ".join(end for endings in ENDINGS.values() for end in endings)
            raise ReadError(f"the ending of {there.name} says no language; allowed: {known}")
        return [f"sources: [{_quoted(path)}]"]
    if build is None:
        return [f"sources: [{', '.join(_quoted(each) for each in _patterns(there, path))}]"]
    if executable is None:
        raise ReadError(
            f"{there} has a {build}: name what it makes, by its path from there, with --executable"
        )
    return [
        "build:",
        f"  folder: {_quoted(path)}",
        "  command:",
        *(f"    - {command}" for command in BUILDS[build]),
        f"  executable: {_quoted(executable)}",
    ]


def _patterns(there: Path, path: str) -> list[str]:
    """`*.c` for each ending of sources in the folder, and `**/*.c` for those below it."""
    found: dict[str, str] = {}
    for each in there.rglob("*"):
        if each.is_file() and language_of(each.name):
            deep = "**/" if each.parent != there else ""
            found[each.suffix] = max(deep, found.get(each.suffix, ""))
    if not found:
        raise ReadError(f"{there} holds no source of C, C++ or Fortran")
    return [f"{path}/{deep}*{ending}" for ending, deep in sorted(found.items())]


def _quoted(text: str) -> str:
    """A scalar of YAML within a list."""
    return "'" + text.replace("'", "''") + "'"
