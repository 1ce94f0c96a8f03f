"""Programs that a project's own Makefile builds: in a copy of its files, in a sandbox, in the job.

The compilers of the sandbox are `weft-cc`, `weft-c++` and `weft-fc`, which also have the names of
wrappers of MPI libraries. A program that is simulated and measured is built once for each.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from weft.confine import Limits, Sandbox, missing_to_build
from weft.confine import run as run_confined
from weft.confine.sandbox import TEMPORARY
from weft.engines.build_outputs import are_kept, keep_programs, kept_program
from weft.engines.build_reasons import reason_in
from weft.engines.failed_builds import NotBuiltError, recall, remember
from weft.files import remove_folder, replace_text, take_lock

if TYPE_CHECKING:
    from weft.plan.spec import BuildSpec

#: Stands in the words of commands for the absolute path of the folder in which they run.
FOLDER = "{folder}"

#: Where built programs are kept, from the project. Simulators keep those that they compile there.
CACHE = Path("programs/build")
_TREE = "tree"
#: What a build may take.
_LIMITS = Limits(wall_s=3600.0, tasks=128, open_files=1024)
_LOG = "build.log"
_KEPT_OF_LOG = 4000
#: Names of compilers, by the name of the command of a simulator that stands behind them.
_NAMES = {
    "cc": ("weft-cc", "mpicc", "mpigcc", "mpiicc", "mpiicx"),
    "c++": ("weft-c++", "mpicxx", "mpic++", "mpiCC", "mpig++", "mpiicpc", "mpiicpx"),
    "fc": ("weft-fc", "mpifort", "mpif90", "mpif77", "mpiifort", "mpiifx"),
}


@dataclass(frozen=True, slots=True)
class Compilers:
    """What `weft-cc`, `weft-c++` and `weft-fc` are in a build."""

    #: A simulator, whose commands `cc`, `c++` and `fc` they are.
    simulator: Path
    #: Variables of each, by its command. Without any, it compiles for the simulator.
    variables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    #: Why one of them is missing, by its command: a build that calls it fails.
    lacking: Mapping[str, str] = field(default_factory=dict)
    #: Files that they need, by their names. `{files}` in a variable is their folder.
    files: Mapping[str, bytes] = field(default_factory=dict)
    #: Folders outside of the system's that they need.
    readable: Sequence[Path] = ()

    @property
    def identity(self) -> str:
        """What a program depends on beside its files."""
        known = self.simulator.stat()
        own = (str(self.simulator), known.st_size, known.st_mtime_ns)
        named = {key: dict(value) for key, value in self.variables.items()}
        files = {name: content.decode() for name, content in self.files.items()}
        given = [own, named, dict(self.lacking), files, _compilers_of_the_system()]
        return json.dumps(given, sort_keys=True)


def _compilers_of_the_system() -> list[tuple[str, int, int]]:
    found = (shutil.which(name) for name in ("cc", "c++", "gfortran"))
    stats = [(path, Path(path).stat()) for path in found if path]
    return [(path, known.st_size, known.st_mtime_ns) for path, known in stats]


def built(
    build: BuildSpec, files: Mapping[str, bytes], compilers: Compilers, cache: Path, run: str
) -> Path:
    """The program of `build`, made from `files` (contents by their paths from its root) unless
    that was done before. The folder `cache` keeps it and the other programs of the same commands.

    Raises NotBuiltError where the sandbox is missing or a command fails, without another attempt
    where it failed in the same `run` before.
    """
    make = {name: value for name, value in build["make"].items() if name != "executable"}
    key = sha256(f"{json.dumps(make, sort_keys=True)} {compilers.identity}".encode())
    for path, content in sorted(files.items()):
        key.update(f"{path} {len(content)}\n".encode() + content)
    # Commands see this path, so that it must be the same each time.
    folder = (cache / key.hexdigest()[:24]).absolute()
    if not are_kept(folder):
        _build_once(build, files, compilers, folder, run)
    if isinstance(program := kept_program(folder, build["make"]), Path):
        return program
    name, log = build["make"]["executable"], (folder / _LOG).read_text()
    raise NotBuiltError(
        f"workload.program.build.executable: {name}: {program}", log[-_KEPT_OF_LOG:]
    )


def _build_once(
    build: BuildSpec, files: Mapping[str, bytes], compilers: Compilers, folder: Path, run: str
) -> None:
    if lacks := _missing():
        raise NotBuiltError(
            f"workload.program.build runs commands in a sandbox, which this machine lacks: {lacks}"
        )
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        if are_kept(folder):
            return
        if known := recall(folder, run):
            raise known
        try:
            _build(build, files, compilers, folder)
        except NotBuiltError as error:
            remember(folder, run, error)
            raise


@cache
def _missing() -> str:
    return "; ".join(missing_to_build())


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder; the kernel lets it go when this process ends."""
    with (folder / "lock").open("w") as file:
        take_lock(file, wait=True)
        yield


def _build(
    build: BuildSpec, files: Mapping[str, bytes], compilers: Compilers, folder: Path
) -> None:
    tree, tools = folder / _TREE, folder / "tools"
    for old in (tree, tools):
        remove_folder(old)
    _copy(build, files, tree)
    _write_tools(compilers, tools)
    work = tree / build["make"]["folder"]
    readable = [tools, compilers.simulator, *compilers.readable]
    sandbox = Sandbox(
        work=tree,
        readable=readable,
        variables={
            "PATH": f"{tools}:/usr/bin:/bin",
            "WEFT_PROGRAM_CACHE": f"{TEMPORARY}/programs",
            "LC_ALL": "C",
        },
        limits=_LIMITS,
        begins=work,
    )
    log = bytearray()
    try:
        for words in build["make"]["command"]:
            command = [word.replace(FOLDER, str(work)) for word in words]
            log += f"$ {shlex.join(command)}\n".encode()
            try:
                ended = run_confined(sandbox, command)
            except FileNotFoundError as error:
                raise NotBuiltError(f"workload.program.build: {error}") from error
            log += ended.output
            if ended.limit or ended.code:
                raise _failed(command, ended.limit, ended.code, log.decode(errors="replace"))
        keep_programs(build["make"], files, tree, folder)
    finally:
        replace_text(folder / _LOG, log.decode(errors="replace"))
        for old in (tree, tools):
            remove_folder(old)


def _copy(build: BuildSpec, files: Mapping[str, bytes], tree: Path) -> None:
    """Write the files, all of the same time, so that make finds none older than what it makes.

    The build may execute any of them: neither a point nor a ZIP says which ones.
    """
    (tree / build["make"]["folder"]).mkdir(parents=True)
    for path, content in files.items():
        copy = tree / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
        copy.chmod(0o755)
    for path in files:
        os.utime(tree / path, (0, 1_000_000_000))


def _write_tools(compilers: Compilers, tools: Path) -> None:
    tools.mkdir()
    for name, content in compilers.files.items():
        (tools / name).write_bytes(content)
    for command, names in _NAMES.items():
        text = _tool(compilers, command, tools)
        for name in names:
            (tools / name).write_text(text)
            (tools / name).chmod(stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP)


def _tool(compilers: Compilers, command: str, tools: Path) -> str:
    if lacks := compilers.lacking.get(command):
        return f"#!/bin/sh\necho {shlex.quote(f'weft-{command}: {lacks}')} >&2\nexit 1\n"
    own = compilers.variables.get(command, {})
    words = [f"{key}={value.format(files=tools)}" for key, value in own.items()]
    start = ["exec", *(["env", *words] if words else []), str(compilers.simulator), command]
    return f'#!/bin/sh\n{shlex.join(start)} "$@"\n'


def _failed(command: Sequence[str], limit: str, code: int, log: str) -> NotBuiltError:
    name = shlex.join(command[:3]) + (" …" if len(command) > 3 else "")
    why = limit or f"it ends with code {code}: {reason_in(log)}"
    return NotBuiltError(f"workload.program.build.command: {name}: {why}", log[-_KEPT_OF_LOG:])
