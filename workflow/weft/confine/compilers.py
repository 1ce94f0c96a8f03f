"""Compilers of the machine's MPI within walls of Landlock, as those of simulators are.

A compiler includes what a program names. Within the walls it reads the system's files, its own and
those of the program, and writes where it compiles. One that does not work so runs without them, and
weft says so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weft.confine.landlocked import REFUSED
from weft.confine.sandbox import SYSTEM

#: `best` (the default), `required` or `off`, as simulators read it.
VARIABLE = "WEFT_CONFINEMENT"
_LANDLOCKED = Path(__file__).with_name("landlocked.py")
#: What an MPI's compiler reads of the system beside what all compilers do.
_SYSTEM = (*SYSTEM, "/sbin", "/dev/urandom", "/etc/openmpi", "/etc/mpich")
#: Variables that name folders in which compilers and the loader look.
_FOLDERS = (
    "PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "CPATH",
    "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
)  # fmt: skip
#: A program of nothing, by the ending of its source.
_NOTHING = {".c": "int main(void) { return 0; }\n", ".f90": "end\n"}
_FORTRAN = (".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08")
#: Compilers that need other files, so that nobody tries again.
_OPEN: set[str] = set()


class UnconfinedError(Exception):
    """A compiler cannot be confined, and has to be: the reason in one line."""


@dataclass(frozen=True, slots=True)
class Compilation:
    """One call of a compiler."""

    command: Sequence[str]
    #: What it makes; the command does not name it.
    target: Path
    #: Files and folders of the program.
    readable: Iterable[Path]
    #: Where it runs, if not here.
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    #: Whether an image's runtime starts it, which mounts and so works within no walls.
    in_image: bool = False

    def run(self) -> subprocess.CompletedProcess[str]:
        """Compile within walls; outside of them where the compiler does not work so.

        Raises UnconfinedError where walls are required and there are none.
        """
        mode = os.environ.get(VARIABLE) or "best"
        if mode not in ("best", "required", "off"):
            raise UnconfinedError(f"{VARIABLE} is {mode}; use best (the default), required or off")
        if mode == "off":
            return self._done(self.command, self.target, ())
        if self.in_image:
            return self._open(mode, "compilers of an image read what the image sees")
        compiler = self.command[0]
        if compiler in _OPEN and mode == "best":
            return self._done(self.command, self.target, ())
        with tempfile.TemporaryDirectory(dir=self.target.parent, prefix="compile-") as made_in:
            made = Path(made_in).absolute() / self.target.name
            done = self._done(self.command, made, self._walls(made.parent))
            if made.exists():
                made.replace(self.target)
            if done.returncode == 0 or self._works_confined(made.parent):
                return done
        why = f"{compiler} does not work without other files"
        if done.returncode == REFUSED:
            why = "the kernel has no Landlock"
        return self._open(mode, why)

    def _open(self, mode: str, why: str) -> subprocess.CompletedProcess[str]:
        """Compile without walls, and say so once."""
        if mode == "required":
            raise UnconfinedError(f"{VARIABLE} is required: {why}")
        if self.command[0] not in _OPEN:
            print(f"weft: the compiler is not confined: {why}", file=sys.stderr, flush=True)
        _OPEN.add(self.command[0])
        return self._done(self.command, self.target, ())

    def _works_confined(self, made_in: Path) -> bool:
        """Whether a program of nothing compiles where this one does not."""
        is_fortran = any(word.lower().endswith(_FORTRAN) for word in self.command)
        ending = ".f90" if is_fortran else ".c"
        source = made_in / f"nothing{ending}"
        source.write_text(_NOTHING[ending])
        words = [self.command[0], str(source)]
        return self._done(words, made_in / "nothing", self._walls(made_in)).returncode == 0

    def _done(
        self, words: Sequence[str], target: Path, walls: Sequence[str]
    ) -> subprocess.CompletedProcess[str]:
        # A cache of compilers would write elsewhere.
        own = {"TMPDIR": str(target.parent.absolute()), "CCACHE_DISABLE": "1"} if walls else {}
        return subprocess.run(
            [*walls, *words, "-o", str(target.absolute())],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # In English: its errors are looked for.
            env={**self.environment, **own, "LC_ALL": "C"},
            cwd=self.folder,
            check=False,
        )

    def _walls(self, made_in: Path) -> list[str]:
        readable = [*_SYSTEM, *map(str, self._own_folders())]
        readable += [str(path.absolute()) for path in self.readable]
        # Fortran's modules come to the folder in which its compiler runs.
        writable = [made_in, *([self.folder.absolute()] if self.folder else [])]
        lists = json.dumps(readable), json.dumps([str(path) for path in writable])
        return [sys.executable, "-I", str(_LANDLOCKED), *lists]

    def _own_folders(self) -> Iterator[Path]:
        """Folders of the compiler, and those that the environment names."""
        compiler = Path(self.command[0])
        found = [each for path in (compiler, compiler.resolve()) for each in path.parents[:2]]
        named = [self.environment.get(name, "") for name in _FOLDERS]
        found += [Path(each) for text in named for each in text.split(os.pathsep) if each]
        wide = [Path(self.environment.get("HOME", "/")), Path.cwd()]
        # Neither all files of the user nor the project.
        yield from (
            folder
            for folder in dict.fromkeys(found)
            if folder.is_absolute() and not any(each.is_relative_to(folder) for each in wide)
        )
