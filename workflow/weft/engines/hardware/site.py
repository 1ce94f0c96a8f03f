"""The machine file as measurements see it: environment, tools, and which MPI they belong to."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from weft.engines.base import EngineError
from weft.engines.hardware.errors import MeasurementError, last_lines
from weft.machine import MachineFile, is_srun
from weft.machine.file import Mode

Flavour = Literal["mpich", "openmpi"]
DEFAULT_TOOLS = ("mpicc", "mpiexec")
ANSWER_S = 60
#: What a machine without a name is called.
LOCAL = "local"
#: What a launcher or compiler of each family prints about itself.
SIGNATURES: Mapping[Flavour, re.Pattern[str]] = {
    "openmpi": re.compile(r"Open MPI|OpenRTE|PRRTE|prte", re.IGNORECASE),
    "mpich": re.compile(r"HYDRA|MPICH|MVAPICH|Intel\(R\) MPI", re.IGNORECASE),
}
_MARK = "weft-environment"


@dataclass(frozen=True, slots=True)
class Site:
    """Where measurements run: the tools found, and the environment that they get.

    `mpicc` is None where programs come from an image. `style` says how the launcher is spoken to.
    """

    name: str
    mode: Mode
    flavour: Flavour
    style: Literal["srun", "mpich", "openmpi", "template"]
    launcher: Path
    mpicc: Path | None
    variables: Mapping[str, str]
    environment: Mapping[str, str]


def read_site(machine: MachineFile) -> Site:
    """The machine file's tools, found and asked for their families.

    Raises MeasurementError when a tool is missing or compiler and launcher do not fit together,
    EngineError when the environment modules cannot be loaded.
    """
    environment = rank_environment(machine)
    mode = machine.mode
    mpicc = None if mode == "hybrid" else find_mpicc(machine, environment)
    launcher = _find_launcher(machine, mpicc, environment)
    of_launcher = None if is_srun(launcher) else _launcher_flavour(launcher, environment)
    flavour = _flavour(machine.mpi, mpicc, of_launcher, environment)
    if flavour is None:
        raise MeasurementError(
            f"{launcher} does not say which MPI it belongs to: write mpi: mpich or mpi: openmpi"
        )
    if of_launcher and flavour != of_launcher:
        raise MeasurementError(
            f"{launcher} starts programs of {of_launcher}, but {mpicc or 'mpi'} means {flavour}: "
            "name launcher and mpicc of one installation in the machine file"
        )
    return Site(
        name=machine.name or LOCAL,
        mode=mode,
        flavour=flavour,
        style=_style(machine, launcher, flavour),
        launcher=launcher,
        mpicc=mpicc,
        variables=dict(machine.environment),
        environment=environment,
    )


def mpi_family(machine: MachineFile) -> Flavour | None:
    """The family of the machine's MPI, by what plans can ask; None if nothing here says."""
    if machine.mpi != "auto":
        return machine.mpi
    try:
        environment = rank_environment(machine)
        if machine.mode == "hybrid":
            launcher = _find_launcher(machine, None, environment)
            return None if is_srun(launcher) else _launcher_flavour(launcher, environment)
        return _compiler_flavour(find_mpicc(machine, environment), environment)
    except (EngineError, MeasurementError):
        return None


def _style(
    machine: MachineFile, launcher: Path, flavour: Flavour
) -> Literal["srun", "mpich", "openmpi", "template"]:
    if is_srun(launcher):
        return "srun"
    return "template" if machine.launcher_template else flavour


def _flavour(
    asked: Literal["auto", "mpich", "openmpi"],
    mpicc: Path | None,
    of_launcher: Flavour | None,
    environment: Mapping[str, str],
) -> Flavour | None:
    if asked != "auto":
        return asked
    return _compiler_flavour(mpicc, environment) if mpicc else of_launcher


def _find_launcher(
    machine: MachineFile, mpicc: Path | None, environment: Mapping[str, str]
) -> Path:
    name = machine.launcher
    if is_srun(name):
        return find_tool(name, None, {**environment, "PATH": _path_of_the_site(environment)})
    return find_tool(name, mpicc.parent if mpicc else Path(sys.executable).parent, environment)


def find_mpicc(machine: MachineFile, environment: Mapping[str, str]) -> Path:
    """The compiler that the machine file chooses, else the one installed with this Python.

    Beside srun only the site's own counts: Slurm's ranks would not find each other through the
    MPI of weft's environment, or not over the site's fabric. Raises MeasurementError when there is
    none.
    """
    name = machine.mpicc
    if is_srun(machine.launcher) and os.sep not in name:
        return _site_mpicc(machine, name, environment)
    # A module's compiler is meant when modules are loaded, not the one of weft's environment.
    beside = None if machine.modules else Path(sys.executable).parent
    return find_tool(name, beside, environment)


def _site_mpicc(machine: MachineFile, name: str, environment: Mapping[str, str]) -> Path:
    found = shutil.which(name, path=_path_of_the_site(environment))
    if found:
        return Path(found)
    own = shutil.which(name, path=str(Path(sys.executable).parent))
    instead = f", only that of weft's own environment ({own})" if own else ""
    raise MeasurementError(
        f"machine '{machine.name or LOCAL}' launches with srun, but the PATH has no {name} "
        f"of the site's MPI{instead}: name it in the machine file (mpicc), load its module "
        "(modules), or use mode: hybrid"
    )


def _path_of_the_site(environment: Mapping[str, str]) -> str:
    """The PATH without the folder of this Python."""
    own = Path(sys.executable).parent.resolve()
    folders = environment.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if folder and Path(folder).resolve() != own)


def find_tool(name: str, beside: Path | None, environment: Mapping[str, str]) -> Path:
    """The executable `name` (or path) in the folder `beside`, else on the environment's PATH.

    Raises MeasurementError with what to do when there is none.
    """
    path = environment.get("PATH", os.defpath)
    found = (shutil.which(name, path=str(beside)) if beside else None) or shutil.which(
        name, path=path
    )
    if found:
        return Path(found)
    if name in DEFAULT_TOOLS:
        raise MeasurementError(
            f"no {name} found here: run 'make env', or name your MPI's {name} in the machine file"
        )
    raise MeasurementError(f"the machine file names '{name}', which is not an executable here")


def rank_environment(machine: MachineFile) -> dict[str, str]:
    """This process's variables, with the machine file's modules loaded and variables set.

    Raises EngineError when a module cannot be loaded.
    """
    modules = tuple(machine.modules)
    loaded = _module_environment(modules) if modules else os.environ
    return {**loaded, **machine.environment}


@cache
def _module_environment(modules: tuple[str, ...]) -> dict[str, str]:
    """What a login shell's variables are with `modules` loaded; profiles may print what they like.

    One shell serves everything that is compiled and launched, so that both see the same.
    """
    names = " ".join(map(shlex.quote, modules))
    script = f"module load {names} >&2 && printf '\\0{_MARK}\\0' && exec env -0"
    done = subprocess.run(["bash", "-lc", script], capture_output=True, timeout=ANSWER_S)
    _, mark, text = done.stdout.decode(errors="replace").rpartition(f"\0{_MARK}\0")
    if done.returncode != 0 or not mark:
        output = last_lines(done.stderr.decode(errors="replace")) or "it printed nothing"
        raise EngineError(
            f"`module load {names}` does not work here; correct machine.modules ({output})"
        )
    settings = (entry.partition("=") for entry in text.split("\0") if entry)
    return {name: value for name, _, value in settings}


def _answer(command: list[str], environment: Mapping[str, str]) -> str:
    """What a tool prints about itself; nothing if it does not know the option."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, env=dict(environment), timeout=ANSWER_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def _launcher_flavour(launcher: Path, environment: Mapping[str, str]) -> Flavour | None:
    output = _answer([str(launcher), "--version"], environment)
    return next((name for name, pattern in SIGNATURES.items() if pattern.search(output)), None)


def _compiler_flavour(mpicc: Path, environment: Mapping[str, str]) -> Flavour:
    """Only Open MPI's wrapper knows this option; all others share MPICH's interface."""
    output = _answer([str(mpicc), "--showme:version"], environment)
    return "openmpi" if SIGNATURES["openmpi"].search(output) else "mpich"


def tool_version(command: list[str], environment: Mapping[str, str]) -> str | None:
    """The first line that a tool prints about its version, or None."""
    lines = _answer(command, environment).strip().splitlines()
    return lines[0].strip() if lines else None
