"""Where SimGrid is, in which version, and how programs of weft are compiled against it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from weft.confine.compilers import Compilation, UnconfinedError
from weft.engines.base import EngineError, ShardJob
from weft.engines.external.answer import UnanswerableError
from weft.engines.external.engine import ABSENT
from weft.engines.external.process import last_words
from weft.engines.external.version import digest, module_digest
from weft.engines.native import WORKSPACE, NativeEngine, outside, project, reached
from weft.engines.source_version import source_version
from weft.files import replacing
from weft.files.layout import CLONE
from weft.images import exec_command
from weft.machine import MachineFile

SOURCE = Path(__file__).parent / "source"
#: The image of both engines, and what says which SimGrid is in it.
IMAGE = "simgrid"
LOCK = CLONE / "envs" / f"{IMAGE}.apt.lock"
#: What knows the routes, in the image, too.
FLOW = "weft-flow"
COMPILER = "g++"
_FLAGS = ("-std=c++17", "-O2", "-fPIC", "-Wall", "-Wextra")
#: Where a prefix has its libraries; Debian's lie one folder deeper.
_LIBRARIES = ("lib/libsimgrid.so", "lib64/libsimgrid.so", "lib/*/libsimgrid.so")
#: The environment variable that names another folder for compiled programs, as for simulators.
_CACHE = "WEFT_PROGRAM_CACHE"


@dataclass(frozen=True, slots=True)
class Installation:
    """A SimGrid that programs can be compiled against: what starts programs beside it, the folder
    above its `bin` and `include`, and its library."""

    start: tuple[str, ...]
    prefix: Path
    library: Path
    identity: str
    flow: tuple[str, ...]

    def compiled(self, name: str, sources: Iterable[str], *flags: str) -> Path:
        """The program `name` of `sources`, compiled unless this content was compiled before.

        Raises EngineError with the compiler's words when that fails.
        """
        files = [SOURCE / source for source in sources]
        target = self.cached(name, digest([*files, *sorted(SOURCE.glob("*.hpp"))]))
        libraries = self.library.parent
        command = [
            COMPILER, *_FLAGS, *flags, f"-I{self.prefix / 'include'}", *map(str, files),
            f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lsimgrid",
        ]  # fmt: skip
        try:
            self.compile(target, command)
        except UnanswerableError as error:
            raise EngineError(f"{name}, of SimGrid in {self.prefix}: {error}") from error
        return target

    def cached(self, name: str, content: str) -> Path:
        """Where what is compiled of `content` lies, or will lie."""
        own = Path(name)
        return _cache() / f"simgrid-{self.identity}" / f"{own.stem}-{content}{own.suffix}"

    def compile(self, target: Path, command: Sequence[str], readable: Iterable[Path] = ()) -> None:
        """Make `target` by a compiler's command, unless it is there. The compiler reads the files
        `readable` and no others of the user; in an image it reads what the image sees.

        Raises UnanswerableError with the compiler's words when that fails.
        """
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with replacing(target) as unfinished:
            words, own = [*self.start, *command], [SOURCE, *readable]
            try:
                done = Compilation(words, unfinished, own, in_image=bool(self.start)).run()
            except UnconfinedError as error:
                raise UnanswerableError(f"it is not compiled: {error}") from error
            if done.returncode != 0:
                raise UnanswerableError(f"it does not compile:\n{last_words(done.stdout)}")


def installation(job: ShardJob) -> Installation:
    """The SimGrid of a job: in its image, else that of the machine.

    Raises EngineError when there is none, or no weft-flow that knows the routes.
    """
    if job.image:
        binds = outside([*reached(job), SOURCE, _cache(), CLONE])
        # Programs start in the folder of their results, so the image needs a whole path.
        folder = job.directory.resolve()
        start = tuple(exec_command(job.image.resolve(), binds=binds, start=folder))
        library = Path("/usr/lib/libsimgrid.so")
        return Installation(start, Path("/usr"), library, job.image.stem, (*start, FLOW))
    found = find_library(job.machine)
    if found is None:
        raise EngineError(why_absent(job.machine))
    flow = NativeEngine("flow", "crate", ()).checked_binary()
    return Installation((), _prefix(found), found, digest([found]), (str(flow),))


def find_library(machine: MachineFile) -> Path | None:
    """The library below `simgrid_path` of the machine file, else beside an `smpicc` on the PATH.

    None as well without a compiler for C++.
    """
    prefixes = [Path(machine.simgrid_path).expanduser()] if machine.simgrid_path else []
    if not prefixes and (smpicc := shutil.which("smpicc")):
        binaries = Path(smpicc).resolve().parent
        prefixes = [binaries.parent]
    found = [path for each in prefixes for name in _LIBRARIES for path in sorted(each.glob(name))]
    return found[0] if found and shutil.which(COMPILER) else None


def why_absent(machine: MachineFile) -> str:
    """The reason for which points are skipped, and what to do."""
    if not shutil.which(COMPILER):
        return f"no compiler for C++: put {COMPILER} on the PATH, or use an image"
    if machine.simgrid_path:
        return (
            f"no SimGrid: machine.simgrid_path names {machine.simgrid_path}, "
            "which has no lib/libsimgrid.so"
        )
    return (
        "no SimGrid: install it (Debian, Ubuntu: libsimgrid-dev), set machine.simgrid_path, "
        "or use an image"
    )


def simgrid_version(machine: MachineFile, image: str | None, other: str = "") -> str:
    """`<digest of SimGrid>+<digest of what drives it, and of other>`, or `absent`.

    Of an image, the lock of its packages says which SimGrid it is. The second one covers this
    module and the crates that make routes and lists. Raises EngineError when their sources are
    missing.
    """
    found = None if image else find_library(machine)
    if not image and found is None:
        return ABSENT
    lists = source_version("workload", project() / WORKSPACE)
    module = module_digest(Path(__file__).parent, lists + other)
    return f"{digest([found or LOCK])}+{module}"


def _prefix(library: Path) -> Path:
    """The folder above `lib`."""
    return next(each.parent for each in library.parents if each.name in ("lib", "lib64"))


def _cache() -> Path:
    named = os.environ.get(_CACHE)
    return Path(named or "programs/build").absolute()
