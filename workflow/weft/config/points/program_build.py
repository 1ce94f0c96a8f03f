"""The files of a program: the sources that an experiment names, and headers they include."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from weft.config.language.errors import Problem, nearest
from weft.config.model.own_build import MakeSpec, OwnBuild
from weft.config.model.program_files import BuildSpec, ProgramFiles
from weft.config.points.fortran import in_order, included
from weft.config.points.places import Places
from weft.files.tokens import file_digest

KEY = "workload.program"
#: Of one program, so that a folder that was named by mistake does not fill a disk.
MOST_FILES, MOST_BYTES = 5_000, 256 << 20
_DIRECTIVE = re.compile(
    rb"^[ \t]*(?:#|%:)[ \t]*(?:include|include_next|import)\b[ \t]*(.*)$", re.MULTILINE
)
_NAMED = re.compile(rb'^(?:"([^"\n]+)"|<([^>\n]+)>)')
#: Endings of files that others include.
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".h++", ".inc", ".inl", ".ipp", ".tcc", ".def")
_PATTERN = re.compile(r"[*?\[]")


class BuildError(ValueError):
    """Files of a program that are not as they should be."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.problem = Problem(f"{KEY}.{key}" if key else KEY, message, (KEY,))


def program_build(program: ProgramFiles, places: Places) -> BuildSpec:
    """What a point says of a program of several files.

    Raises BuildError.
    """
    tree = _Tree.of(places)
    if program.build is not None:
        build = _own_build(program.build, tree, places)
    elif program.executable is not None:
        build = _executable(program.executable, tree, places)
    else:
        build = _compiled(program, tree, places)
    if program.data:
        build["data"] = _data(program, tree)
    return build


def _compiled(program: ProgramFiles, tree: _Tree, places: Places) -> BuildSpec:
    sources = tree.sources(program.sources)
    include = [
        tree.found(path, f"include[{i}]", folder=True) for i, path in enumerate(program.include)
    ]
    files = _Seen(tree.root, places, include).all(sources)
    if program.spoken == "fortran":
        sources = in_order(sources, files)
    return {
        "root": places.shown(tree.root),
        "language": program.spoken,
        "sources": sources,
        "include": include,
        "defines": program.macros,
        "flags": list(program.flags),
        "files": [[path, file_digest(path, files[path])] for path in sorted(files)],
    }


def _uncompiled(tree: _Tree, places: Places) -> BuildSpec:
    return {
        "root": places.shown(tree.root),
        "language": "c",
        "sources": [],
        "include": [],
        "defines": [],
        "flags": [],
        "files": [],
    }


def _executable(path: str, tree: _Tree, places: Places) -> BuildSpec:
    found = tree.found(path, "executable")
    whole = tree.root / found
    digest = file_digest("", whole.read_bytes())
    return {**_uncompiled(tree, places), "executable": [places.shown(whole), digest]}


def _own_build(own: OwnBuild, tree: _Tree, places: Places) -> BuildSpec:
    folder = tree.found(own.folder, "build.folder", folder=True)
    top = tree.root / folder
    files = _Seen(tree.root, places, [])
    for path in _chosen(top, own.files):
        if not (top / path).resolve().is_relative_to(top.resolve()):
            raise BuildError("build.files", f"{path} is a link that leads out of {top}")
        files.add(posixpath.normpath(posixpath.join(folder, path)))
    if not files.files:
        raise BuildError("build.files", f"no file of {top} is like {' '.join(own.files)}")
    make: MakeSpec = {
        "folder": folder,
        "command": [list(words) for words in own.command],
        "executable": own.executable,
    }
    # Every byte counts: a Makefile may do anything with a comment.
    listed = [[path, file_digest("", files.files[path])] for path in sorted(files.files)]
    return {**_uncompiled(tree, places), "files": listed, "make": make}


def _chosen(top: Path, patterns: Sequence[str]) -> list[str]:
    """The files below `top` that the patterns choose, one after the other."""
    every = sorted(
        Path(at, name).relative_to(top).as_posix()
        for at, _, names in os.walk(top)
        for name in names
    )
    chosen: dict[str, None] = {}
    for pattern in patterns:
        fits = _as_regex(pattern.removeprefix("!"))
        for path in filter(fits.fullmatch, every):
            if pattern.startswith("!"):
                chosen.pop(path, None)
            elif (top / path).is_file():
                chosen[path] = None
    return sorted(chosen)


def _as_regex(pattern: str) -> re.Pattern[str]:
    """`*` stands for letters of a name, `**` for folders; neither for a dot at the begin of one."""
    parts = PurePosixPath(pattern).parts
    text = ""
    for i, part in enumerate(parts):
        last = i == len(parts) - 1
        if part == "**":
            text += r"(?:(?!\.)[^/]+/)*" + (r"(?!\.)[^/]+" if last else "")
            continue
        hidden = "" if part.startswith(".") else r"(?!\.)"
        named = re.escape(part).replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
        text += hidden + named + ("" if last else "/")
    return re.compile(text)


def _data(program: ProgramFiles, tree: _Tree) -> list[list[str]]:
    """Name, path and digest of what the program reads: every byte counts."""
    found = {name: tree.found(path, f"data.{name}") for name, path in program.data.items()}
    contents = {path: (tree.root / path).read_bytes() for path in found.values()}
    if sum(map(len, contents.values())) > MOST_BYTES:
        raise BuildError("data", f"a program reads at most {MOST_BYTES >> 20} MiB")
    return [[name, path, file_digest("", contents[path])] for name, path in sorted(found.items())]


@dataclass(frozen=True)
class _Tree:
    """Where the files of a program lie: all below `root`, and looked for in `folders`."""

    root: Path
    folders: tuple[Path, ...]

    @classmethod
    def of(cls, places: Places) -> _Tree:
        """The project, or the folders of an experiment outside of it."""
        if places.beside:
            return cls(places.beside[-1], places.beside)
        return cls(places.root, (places.configs_dir / "experiment", places.root))

    def sources(self, named: Sequence[str]) -> list[str]:
        """The paths from the root of all sources: `*.c` stands for several, `!a.c` takes one out
        of those before it."""
        found: list[str] = []
        for i, path in enumerate(named):
            key = f"sources[{i}]"
            matched = self._matched(path.removeprefix("!"), key)
            if path.startswith("!"):
                found = [each for each in found if each not in matched]
            else:
                found += [each for each in matched if each not in found]
        if not found:
            raise BuildError("sources", "no source is left of these")
        return found

    def _matched(self, path: str, key: str) -> list[str]:
        if not _PATTERN.search(path):
            return [self.found(path, key)]
        for base in self.folders:
            files = (each for each in base.glob(path) if each.is_file())
            matched = [Path(os.path.normpath(each)) for each in files]
            if matched:
                break
        else:
            raise BuildError(key, f"no file matches {path} (looked in {self._looked})")
        if outside := [each for each in matched if not each.is_relative_to(self.root)]:
            raise BuildError(key, f"'{outside[0]}' leads out of {self.root}")
        return sorted(each.relative_to(self.root).as_posix() for each in matched)

    @property
    def _looked(self) -> str:
        return " and ".join(map(str, self.folders))

    def found(self, path: str, key: str, folder: bool = False) -> str:
        """The path from the root of what an experiment names."""
        bases = [base.relative_to(self.root).as_posix() for base in self.folders]
        tried = [posixpath.normpath(posixpath.join(base, path)) for base in bases]
        inside = [each for each in tried if each != ".." and not each.startswith("../")]
        if not inside:
            raise BuildError(key, f"'{path}' leads out of {self.root}")
        for each in inside:
            there = self.root / each
            if there.is_dir() if folder else there.is_file():
                return each
        kind = "folder" if folder else "file"
        guess = nearest(path, _others(self.folders[0], folder))
        raise BuildError(key, f"there is no {kind} {path} (looked in {self._looked}){guess}")


def _others(folder: Path, folders: bool) -> Iterator[str]:
    """What else a user could have meant."""
    for at, below, names in os.walk(folder):
        place = Path(at).relative_to(folder)
        yield from ((place / name).as_posix() for name in (below if folders else names))
        if len(place.parts) > 2:
            below.clear()


@dataclass
class _Seen:
    """Collects what the compiler may see. Conditions of the preprocessor are not evaluated: a
    header counts if any directive could mean it."""

    root: Path
    places: Places
    include: Sequence[str]
    files: dict[str, bytes] = field(default_factory=dict)
    size_bytes: int = 0

    def all(self, sources: Sequence[str]) -> dict[str, bytes]:
        waiting = list(sources)
        while waiting:
            path = waiting.pop()
            if path not in self.files:
                self.add(path)
                waiting += self._included(path)
        return self.files

    def add(self, path: str) -> None:
        """Read a file that the experiment may read."""
        if stray := self.places.stray(self.root / path):
            raise BuildError("", f"{path} leads to {stray}")
        try:
            self.files[path] = (self.root / path).read_bytes()
        except OSError as error:
            raise BuildError("", f"{path} cannot be read: {error.strerror}") from error
        self.size_bytes += len(self.files[path])
        if len(self.files) > MOST_FILES or self.size_bytes > MOST_BYTES:
            raise BuildError(
                "", f"a program has at most {MOST_FILES} files of {MOST_BYTES >> 20} MiB in all"
            )

    def _included(self, path: str) -> Iterator[str]:
        text, own = self.files[path], posixpath.dirname(path)
        for directive in _DIRECTIVE.finditer(text):
            named = _NAMED.match(directive[1])
            if named is None:
                yield from self._any_header([own, *self.include])
                continue
            name = (named[1] or named[2]).decode(errors="replace")
            yield from self._named(path, name, directive.start(1))
        for at, name in included(text):
            yield from self._named(path, name, at)

    def _named(self, path: str, name: str, at: int) -> Iterator[str]:
        """The files that a directive of a file may mean by a name; `at` is where that stands."""
        if name.startswith("/"):
            line = self.files[path].count(b"\n", 0, at) + 1
            raise BuildError(
                "",
                f"{path} line {line} includes {name}, which is not part of the point: "
                "include it by its name, with its folder under include",
            )
        # A name in quotes is looked for beside the file first; all that follow are kept,
        # because #include_next takes a later one.
        for folder in [posixpath.dirname(path), *self.include]:
            found = posixpath.normpath(posixpath.join(folder, name))
            if not found.startswith("..") and (self.root / found).is_file():
                yield found

    def _any_header(self, folders: Sequence[str]) -> Iterator[str]:
        """A directive whose name is a macro may mean each of them."""
        for folder in folders:
            for at, _, names in os.walk(self.root / folder):
                for name in names:
                    if name.endswith(HEADERS):
                        yield posixpath.normpath(
                            PurePosixPath(Path(at).relative_to(self.root), name).as_posix()
                        )
