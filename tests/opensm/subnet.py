"""A real subnet manager, OpenSM, over fabrics that ibsim simulates: no hardware, no root."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from weft.config.graphs.ibsim import ibsim_fabric
from weft.config.graphs.model import Graph

PROGRAMS = ("ibsim", "opensm", "ibnetdiscover", "iblinkinfo", "dump_fts")
STARTS_WITHIN_S = 60


@dataclass(frozen=True, slots=True)
class Subnet:
    """What the tools print of a fabric that OpenSM has routed."""

    ibnetdiscover: str
    iblinkinfo: str
    lfts: str
    log: str

    @property
    def lash_layers(self) -> int:
        """Virtual layers that LASH needed."""
        found = re.findall(r"Lanes needed: (\d+)", self.log)
        return int(found[-1])


def require_opensm() -> None:
    """Skip the test where the tools are missing; the check of a change has them."""
    if missing := [name for name in PROGRAMS if shutil.which(name, path=_path()) is None]:
        if os.environ.get("CI"):
            pytest.fail(f"{', '.join(missing)} missing")
        pytest.skip(
            f"{', '.join(missing)} missing (Debian's ibsim-utils, opensm, infiniband-diags)"
        )


def routed(graph: Graph, engine: str, folder: Path, root: str | None = None) -> Subnet:
    """OpenSM's answer for a graph with one of its routing engines.

    `root` names the only root switch of `updn`, else OpenSM chooses.
    """
    require_opensm()
    fabric = folder / "fabric.net"
    fabric.write_text(ibsim_fabric(graph))
    # Sockets of ibsim have names of their own, so that fabrics of several tests stand side by side.
    own = {"IBSIM_SOCKNAME": f"weft-{os.getpid()}-{folder.name}", "OSM_TMP_DIR": str(folder)}
    environment = {**os.environ, "PATH": _path(), "OSM_CACHE_DIR": str(folder), **own}
    with _running(["ibsim", "-s", "-n", str(fabric)], environment, folder / "ibsim.log"):
        client = {**environment, "LD_PRELOAD": str(_library())}
        log = folder / "opensm.log"
        _wait_for_answer(client)
        roots = ["-a", _roots(folder, client, root)] if root else []
        subprocess.run(
            ["opensm", "-o", "-R", engine, "-D", "0x43", "-f", str(log), *roots],
            env=client, capture_output=True, check=False, timeout=STARTS_WITHIN_S,
        )  # fmt: skip
        tools = [_output([tool], client) for tool in PROGRAMS[2:]]
    return Subnet(*tools, _text(log))


def _roots(folder: Path, client: dict[str, str], root: str) -> str:
    """A file with the identifier of the root switch."""
    text = _output(["ibnetdiscover"], client)
    found = re.search(rf'"S-([0-9a-f]+)"\s*#\s*"{re.escape(root)}"', text)
    assert found is not None
    path = folder / "roots"
    path.write_text(f"0x{found[1]}\n")
    return str(path)


def _answers(client: dict[str, str]) -> bool:
    done = subprocess.run(["ibnetdiscover"], env=client, capture_output=True, check=False)
    return done.returncode == 0


def _output(command: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def _wait_for_answer(client: dict[str, str]) -> None:
    end = time.monotonic() + STARTS_WITHIN_S
    while not _answers(client):
        assert time.monotonic() < end, "ibsim does not start"
        time.sleep(0.1)


@contextmanager
def _running(command: list[str], environment: dict[str, str], log: Path) -> Iterator[None]:
    with log.open("w") as output:
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=output, stderr=output
        )
        try:
            yield
        finally:
            process.kill()
            process.wait()


def _text(path: Path) -> str:
    return path.read_text(errors="replace") if path.exists() else ""


def _path() -> str:
    return f"{os.environ['PATH']}:/usr/sbin"


def _library() -> Path:
    """What connects the tools with ibsim instead of a device."""
    return next(Path("/usr/lib").glob("*/umad2sim/libumad2sim.so"))
