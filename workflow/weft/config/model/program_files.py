"""Programs of several files: what is compiled, and how."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Annotated, Literal, NotRequired, TypedDict

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    model_validator,
)

from weft.config.language.errors import nearest
from weft.config.language.section import ProjectFile, Settings
from weft.config.model.own_build import MakeSpec, OwnBuild
from weft.files.languages import ENDINGS, language_of

_SHOWN = {"c": "C", "c++": "C++", "fortran": "Fortran"}
_NAME = re.compile(r"\w[\w-]*")
_MACRO = re.compile(r"[A-Za-z_]\w*")
_RESERVED = ("MGEN_", "mgen_", "weft_")

#: Flags that the compiler accepts. Flags that name files or other programs are not among them.
_FLAGS = (
    r"-O[0-3sg]?",
    r"-std=((c|gnu)(\+\+)?\w+|f(95|20(03|08|18))|gnu|legacy)",
    r"-g[0-3]?",
    r"-w|-W[a-z][a-z0-9+=-]*",
    r"-ansi|-pedantic|-pedantic-errors",
    r"-pthread|-fopenmp|-fopenmp-simd",
    r"-fpermissive|-fmax-errors=\d+",
    r"-f(no-)?(strict-aliasing|strict-overflow|wrapv|math-errno|trapping-math|signed-zeros"
    r"|associative-math|reciprocal-math|finite-math-only|unroll-loops|tree-vectorize|inline"
    r"|inline-functions|omit-frame-pointer|common|builtin|exceptions|rtti|signed-char"
    r"|unsigned-char|short-enums|automatic|backslash|bounds-check|cray-pointer|dollar-ok"
    r"|implicit-none|range-check)",
    r"-f(ixed|ree)-form|-f(ixed|ree)-line-length-(none|\d+)|-fdefault-(real|double|integer)-8"
    r"|-fcheck=[a-z,-]+|-fconvert=(native|swap|(big|little)-endian)|-fmax-stack-var-size=\d+|-cpp",
    r"-m(arch|tune|cpu)=(?!native)[\w.+-]+",
    r"-m(no-)?(sse[\w.]*|avx\w*|fma|bmi2?|popcnt|lzcnt)|-mcmodel=(small|medium|large)",
    r"-U[A-Za-z_]\w*",
    r"-l[A-Za-z0-9_][\w.+-]*",
)
_ALLOWED = re.compile("|".join(f"(?:{pattern})" for pattern in _FLAGS))
_EXAMPLES = (
    "-O3", "-std=c++17", "-g", "-Wall", "-pedantic", "-pthread", "-fopenmp", "-fno-strict-aliasing",
    "-march=x86-64-v3", "-mavx2", "-mcmodel=large", "-UNDEBUG", "-lblas",
)  # fmt: skip
#: Flags for which there is a key, or a better word.
_INSTEAD = {
    "-D": "write it under defines, like {N: 4}",
    "-I": "list the folder under include",
    "-L": "the compiler looks for libraries where the system has them",
    "-march=native": "name the processor, so that all machines make the same",
    "-Ofast": "it changes the arithmetic of the whole process; use -O3",
    "-ffast-math": "it changes the arithmetic of the whole process; name its parts, like "
    "-fassociative-math",
}


def _flag(flag: str) -> str:
    if _ALLOWED.fullmatch(flag):
        return flag
    for start, instead in _INSTEAD.items():
        if flag.startswith(start):
            raise ValueError(f"'{flag}' is not allowed here: {instead}")
    guess = nearest(flag, _EXAMPLES) or ";"
    raise ValueError(
        f"'{flag}' is not allowed{guess} allowed: -O…, -std=…, -g, -W… without a comma, -pedantic, "
        "-pthread, -fopenmp, -f… of the language and of floating-point numbers, -march=…, -m… of "
        "instructions, -mcmodel=…, -U…, -l…"
    )


def _source(path: str) -> str:
    if language_of(path) is None:
        known = ", ".join(end for endings in ENDINGS.values() for end in endings)
        raise ValueError(f"the ending of '{path}' says no language; allowed: {known}")
    return _path(path)


def _path(path: str) -> str:
    if path.startswith(("/", "~")):
        raise ValueError(f"'{path}' leads out of the project: write a path from this file's folder")
    return path


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"'{text}' is not a regular expression: {error}") from error
    return text


def _inside(path: str) -> str:
    if ".." in PurePosixPath(path).parts:
        raise ValueError(f"'{path}' leads out of the folder in which the program runs")
    return _path(path)


def _program_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(
            "a program is the name of a C file without its ending, like 'pingpong'; got "
            f"'{name}'{_of_files([name])}"
        )
    return name


def _no_list(name: object) -> object:
    texts = [each for each in name if isinstance(each, str)] if isinstance(name, list) else []
    instead = _of_files(texts)
    if instead and texts == name:
        raise ValueError(f"a program is a name, or a section{instead}")
    return name


def _of_files(names: Sequence[str]) -> str:
    """How a program of files is written; nothing where a name is no source."""
    if not names or not all(map(language_of, names)):
        return ""
    first = PurePosixPath(names[0])
    name = re.sub(r"[^\w-]+", "_", first.stem)
    alone = f"{name}, or " if [*names] == [f"{name}.c"] else ""
    return f"; write {alone}{{name: {name}, sources: [{', '.join(names)}]}}"


def _value(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a macro is a number or a text; write 1 or 0")
    return str(value) if isinstance(value, int | float) else value


Folder = Annotated[str, ProjectFile(), AfterValidator(_path)]
Macro = Annotated[
    str | None,
    BeforeValidator(_value),
    WithJsonSchema({"type": ["string", "number", "null"]}),
]


class ProgramFiles(Settings):
    """A program of several files, or one that its own Makefile builds. Paths count from the folder
    of the experiment file, else from the project."""

    name: Annotated[str, AfterValidator(_program_name)] | None = None
    """What results call it; the name of the first source unless given."""
    sources: Annotated[
        list[Annotated[str, ProjectFile(), AfterValidator(_source)]], Field(min_length=1)
    ] = Field(default=[])
    """The files that are compiled. `solver/*.c` stands for all of this ending in a folder, and
    `!solver/old.c` leaves one out again."""
    build: OwnBuild | None = None
    """In place of `sources`: the project's own Makefile, or CMake, builds the program."""
    executable: Folder | None = None
    """In place of `sources`: a program that `weft-cc`, `weft-c++` or `weft-fc` has linked, for
    simulators."""
    include: list[Folder] = Field(default=[])
    """Folders in which headers are looked for, beside the folder of the file that includes them."""
    defines: dict[str, Macro] = Field(default={})
    """Macros and their values; one without a value is 1."""
    flags: list[Annotated[str, AfterValidator(_flag)]] = Field(default=[])
    """Further flags of the compiler, and libraries, like `-lblas`."""
    data: dict[Annotated[str, AfterValidator(_inside)], Folder] = Field(default={})
    """Files that the program opens: the name that each has in the folder in which the program runs,
    and its path here."""
    passes: list[Annotated[str, AfterValidator(_pattern)]] = Field(default=[])
    """Patterns that the program prints, or writes to a file, each in a line, where its own
    verification has passed; `weft applications` looks for all of them."""
    fails: list[Annotated[str, AfterValidator(_pattern)]] = Field(default=[])
    """Patterns that it prints where its verification has failed."""
    language: Literal["c", "c++", "fortran"] | None = None
    """As the endings of the sources say, unless given. C++ and Fortran may have files of C among
    their own."""

    @model_validator(mode="after")
    def _one_program(self) -> ProgramFiles:
        given = [key for key in ("sources", "build", "executable") if getattr(self, key)]
        if len(given) != 1:
            found = f"; got {' and '.join(given)}" if given else ""
            raise ValueError(f"give one of sources, build and executable{found}")
        if not self.sources:
            return self._made()
        twice = [path for path in self.sources if self.sources.count(path) > 1]
        if twice:
            raise ValueError(f"sources names {twice[0]} twice")
        for name in self.defines:
            if not _MACRO.fullmatch(name):
                raise ValueError(f"defines: '{name}' is not the name of a macro")
            if name.startswith(_RESERVED):
                raise ValueError(f"defines: names with {', '.join(_RESERVED)} belong to weft")
        if self.needed_name is None:
            raise ValueError(f"name is required, because '{self.sources[0]}' gives none")
        return self._spoken()

    def _made(self) -> ProgramFiles:
        """A program that something else compiles than weft."""
        what = "build" if self.build else "executable"
        for key in ("include", "defines", "flags", "language"):
            if getattr(self, key):
                raise ValueError(f"{key} is for sources; with {what} the project decides it")
        if self.needed_name is None:
            raise ValueError(f"name is required, because '{self._named_after}' gives none")
        return self

    @property
    def _named_after(self) -> str:
        if self.sources:
            return self.sources[0]
        return self.build.executable if self.build else self.executable or ""

    def _spoken(self) -> ProgramFiles:
        found = {path: language_of(path) for path in self.sources}
        others = {
            language: [path for path, own in found.items() if own == language]
            for language in ("c++", "fortran")
        }
        present = [language for language, paths in others.items() if paths]
        if len(present) > 1:
            first = " and ".join(paths[0] for paths in others.values())
            raise ValueError(f"{first}: weft compiles no program of both C++ and Fortran")
        if self.language == "c" and present:
            (own,) = present
            raise ValueError(f"language is c, but {others[own][0]} is {_SHOWN[own]}; write {own}")
        if self.language in others and self.language not in present:
            endings = ", ".join(ENDINGS[self.language])
            words = f"no source is {_SHOWN[self.language]}; its endings are {endings}"
            raise ValueError(f"language is {self.language}, but {words}")
        return self

    @property
    def needed_name(self) -> str | None:
        """The name; None if there is none."""
        stem = PurePosixPath(self._named_after).stem
        return self.name or (stem if _NAME.fullmatch(stem) else None)

    @property
    def spoken(self) -> str:
        """The language."""
        found = {language_of(path) for path in self.sources}
        return next((own for own in ("c++", "fortran") if own in found), "c")

    @property
    def macros(self) -> list[str]:
        """`NAME` or `NAME=value`, in the order of names."""
        items = sorted(self.defines.items())
        return [name if value is None else f"{name}={value}" for name, value in items]


class BuildSpec(TypedDict):
    """A program of several files; all paths are from `root`, a path from the project."""

    root: str
    language: str
    sources: Sequence[str]
    include: Sequence[str]
    #: `NAME` or `NAME=value`.
    defines: Sequence[str]
    flags: Sequence[str]
    #: Path and digest of every file that the compiler gets to see.
    files: Sequence[Sequence[str]]
    #: Name, path and digest of every file that the program finds in the folder in which it runs.
    data: NotRequired[Sequence[Sequence[str]]]
    #: In place of sources: how the project's own Makefile builds the program.
    make: NotRequired[MakeSpec]
    #: In place of sources: path from the project, and digest, of a program for simulators.
    executable: NotRequired[Sequence[str]]


def build_files(build: BuildSpec) -> list[str]:
    """All files of a program by their paths from the project, its first source first, or its
    executable."""
    first = build["sources"][:1]
    others = [path for path, _ in build["files"] if path not in first]
    others += [path for _, path, _ in build.get("data", ())]
    found = [posixpath.normpath(posixpath.join(build["root"], path)) for path in [*first, *others]]
    made = build.get("executable")
    return [made[0], *found] if made else found


def _branch(value: object) -> str:
    return "dict" if isinstance(value, dict | ProgramFiles) else "str"


ProgramName = Annotated[str, BeforeValidator(_no_list), AfterValidator(_program_name)]
# The tags are names of types, which locations of mistakes leave out.
NamedProgram = Annotated[
    Annotated[ProgramName, Tag("str")] | Annotated[ProgramFiles, Tag("dict")],
    Discriminator(_branch),
]
