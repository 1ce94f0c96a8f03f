"""What stands between the launcher and a program that runs in the image."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from weft.engines.base import EngineError
from weft.engines.hardware.site import Site
from weft.images import exec_command

#: Where the image's own build of a program lies.
PROGRAMS = "/usr/local/bin"
#: Where the image sees the machine's MPI libraries.
LIBRARIES = "/machine/lib"
#: These belong to the image's loader; another version of them does not run.
C_LIBRARY = re.compile(
    r"^(ld-|linux-|lib(c|m|mvec|pthread|dl|rt|resolv|util|anl|nsl|nss_\w+|thread_db)\.so)"
)
_FOUND = re.compile(r"^\s*(\S+) => (/\S+) \(0x", re.MULTILINE)
#: Ranks of one node have user namespaces of their own, in which the kernel keeps each from the open
#: files and the memory of the others. UCX would fall back to TCP, 1000 times slower, or give up;
#: MPICH 5 would fail, PMIx complain. Open MPI finds out by itself.
SHARED_MEMORY = {
    "UCX_POSIX_USE_PROC_LINK": "n",
    "MPIR_CVAR_CH4_CMA_ENABLE": "0",
    "PMIX_MCA_gds": "hash",
}


def hybrid_command(
    program: str, site: Site, image: Path, folders: Sequence[Path | str]
) -> list[str]:
    """The image's own build of `program`, with the image's MPI; it sees `folders`."""
    found = exec_command(image, binds=_existing(folders), environment=image_variables(site))
    return [*found, f"{PROGRAMS}/{program}.{site.flavour}"]


def bind_command(
    built: Sequence[Path],
    site: Site,
    image: Path,
    folders: Sequence[Path | str],
    mpi: Sequence[str],
) -> list[str]:
    """The machine's build of a program, its executable first, in the image with the machine's MPI.

    The libraries that the program and the plugins below the folders `mpi` need are mounted one by
    one and found first, but for the C library, which is the image's.
    """
    libraries = machine_libraries([*built, *plugins(mpi)], site.environment)
    binds: list[Path | str] = [*_existing([*folders, built[0].parent, *mpi])]
    binds += [f"{path}:{LIBRARIES}/{name}:ro" for name, path in libraries.items()]
    variables = {**image_variables(site), "LD_LIBRARY_PATH": LIBRARIES}
    return [*exec_command(image, binds=binds, environment=variables), str(built[0])]


def image_variables(site: Site) -> dict[str, str]:
    """Variables for ranks in an image; what the machine file says goes first."""
    return {**SHARED_MEMORY, **site.variables}


def plugins(folders: Sequence[str]) -> Iterator[Path]:
    """Shared objects below `folders`, which an MPI loads while it runs."""
    for folder in folders:
        yield from sorted(path for path in Path(folder).rglob("*.so") if path.is_file())


def machine_libraries(objects: Sequence[Path], environment: Mapping[str, str]) -> dict[str, Path]:
    """Name and place of every library that `objects` need, without the C library.

    Raises EngineError when the machine does not know.
    """
    try:
        output = subprocess.run(
            ["ldd", *map(str, objects)], capture_output=True, text=True, env=dict(environment)
        ).stdout
    except OSError as error:
        raise EngineError(f"mode bind needs ldd, to find the MPI's libraries: {error}") from error
    return {name: Path(path) for name, path in _FOUND.findall(output) if not C_LIBRARY.match(name)}


def _existing(folders: Sequence[Path | str]) -> list[Path]:
    """The folders that the image does not see anyhow.

    Raises EngineError when one does not exist on this node.
    """
    missing = [str(folder) for folder in folders if not Path(folder).is_dir()]
    if missing:
        raise EngineError(
            f"machine.binds: there is no folder {missing[0]} on node {os.uname().nodename}; "
            "name the folders of the MPI as the compute nodes see them"
        )
    here = Path.cwd()
    return [path for path in map(Path, folders) if not path.is_relative_to(here)]
