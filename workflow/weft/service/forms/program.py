"""How an experiment names a program that comes with a form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from glob import escape
from pathlib import PurePosixPath

from weft.config.points.program_build import HEADERS
from weft.service.project import SOURCES, UPLOADS

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
#: What no name of a program has.
_UNNAMED = re.compile(r"[^A-Za-z0-9_-]+")
#: The compilers of weft, in place of those that a Makefile calls by their usual variables.
_MAKE = ("make", "CC=weft-cc", "CXX=weft-c++", "FC=weft-fc")


def program_of(names: Sequence[str], makes: str) -> object:
    """The value of `workload.program` for these files: those of a project have folders.

    Raises ValueError if there is nothing to compile.
    """
    if any("/" in name for name in names):
        return _of_project(names, makes)
    if makes:
        raise ValueError("only a packed project with its folders has a Makefile")
    if not any(name.endswith(SOURCES) for name in names):
        raise ValueError("no file is a source: headers alone")
    if len(names) == 1 and names[0].endswith(".c"):
        return names[0].removesuffix(".c")
    return {"sources": [name for name in names if name.endswith(SOURCES)]}


def _of_project(paths: Sequence[str], makes: str) -> dict[str, object]:
    """`makes` is what its Makefile makes, as a path from the Makefile's folder; without one all
    sources are compiled."""
    top = paths[0].partition("/")[0]
    plain = _UNNAMED.sub("_", top).strip("_-")
    named = {"name": plain} if plain else {}
    makefiles = [path for path in paths if path.rpartition("/")[2] in _MAKEFILES]
    # The outermost one knows of all others.
    makefile = min(makefiles, key=lambda path: (path.count("/"), path), default="")
    if makes:
        if not makefile:
            raise ValueError(f"the project has no Makefile that makes '{makes}'")
        folder = f"{UPLOADS}/{makefile.rpartition('/')[0]}"
        return {**named, "build": {"folder": folder, "command": [*_MAKE], "executable": makes}}
    sources = [path for path in paths if path.endswith(SOURCES)]
    if not sources:
        raise ValueError("the project has no source of C, C++ or Fortran")
    folders = {str(PurePosixPath(path).parent) for path in paths if path.endswith(HEADERS)}
    return {
        **named,
        "sources": [f"{UPLOADS}/{escape(path)}" for path in sorted(sources)],
        "include": [f"{UPLOADS}/{folder}" for folder in sorted(folders)],
    }
