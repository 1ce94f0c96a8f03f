"""A real subnet manager, OpenSM, over fabrics that ibsim simulates: no hardware, no root."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path

from weft.config.graphs.model import Graph

from tests.missing import missing
from tests.opensm.ibsim import ibsim_fabric

PROGRAMS = ("ibsim", "opensm", "ibnetdiscover", "iblinkinfo", "dump_fts", "saquery")
#: What they print of a fabric.
TOOLS = PROGRAMS[2:5]
STARTS_WITHIN_S = 600


@dataclass(frozen=True, slots=True)
class Subnet:
    """What the tools print of a fabric that OpenSM has routed."""

    ibnetdiscover: str
    iblinkinfo: str
    lfts: str
    log: str
    #: Of each pair of nodes, where it was asked for.
    levels: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @property
    def lash_layers(self) -> int:
        """Virtual layers that LASH needed."""
        found = re.findall(r"Lanes needed: (\d+)", self.log)
        return int(found[-1])

    @property
    def dfsssp_layers(self) -> int:
        """Virtual layers that DFSSSP needed, before it spread the paths over all that there are."""
        found = re.findall(r"Virtual Lanes needed: (\d+)", self.log)
        return int(found[-1])


def require_opensm() -> None:
    """Skip the test where the tools are missing; the check of a change has them."""
    if absent := [name for name in PROGRAMS if shutil.which(name, path=_path()) is None]:
        missing(f"not installed: {', '.join(absent)}")


def routed(
    graph: Graph, engine: str, folder: Path, root: str | None = None, *, asks_levels: bool = False
) -> Subnet:
    """OpenSM's answer for a graph with one of its routing engines.

    `root` names the only root switch of `updn`, else OpenSM chooses. With `asks_levels` OpenSM runs
    on, and answers which service level the packets of each pair of nodes have.
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
        _wait_until(lambda: _answers(client), "ibsim does not start")
        roots = ["-a", _roots(folder, client, root)] if root else []
        command = ["opensm", "-R", engine, "-D", "0x43", "-f", str(log), *roots]
        if asks_levels:
            with _running(command, client, folder / "opensm.out"):
                # Once it answers, all its tables are there.
                _wait_until(lambda: "sl" in _path_record("1", "1", client), "OpenSM is silent")
                tools = [_output([tool], client) for tool in TOOLS]
                levels = _levels(tools[0], graph.nodes, client)
        else:
            subprocess.run(
                [*command, "-o"],
                env=client, capture_output=True, check=False, timeout=STARTS_WITHIN_S,
            )  # fmt: skip
            tools, levels = [_output([tool], client) for tool in TOOLS], {}
    found, links, lfts = tools
    return Subnet(found, links, lfts, _text(log), levels)


def _levels(
    ibnetdiscover: str, nodes: Sequence[str], client: dict[str, str]
) -> dict[tuple[str, str], int]:
    """What the running OpenSM answers for every pair of nodes."""
    link = r'"H-[0-9a-f]+"\[\d+\]\S*\s+# "([^"]+)" lid (\d+)'
    lids = dict(re.findall(link, ibnetdiscover))
    return {
        (src, dst): int(_path_record(lids[src], lids[dst], client)["sl"], 16)
        for src, dst in permutations(nodes, 2)
    }


def _path_record(src: str, dst: str, client: dict[str, str]) -> dict[str, str]:
    """Fields of the record of a path between two local identifiers; empty where none answers."""
    command = ["saquery", "--src-to-dst", f"{src}:{dst}"]
    done = subprocess.run(command, env=client, capture_output=True, text=True, check=False)
    return dict(re.findall(r"(\w+)\.{2,}(\S+)", done.stdout))


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
        command, env=environment, capture_output=True, text=True, check=True, timeout=600
    )
    return done.stdout


def _wait_until(is_there: Callable[[], bool], otherwise: str) -> None:
    end = time.monotonic() + STARTS_WITHIN_S
    while not is_there():
        assert time.monotonic() < end, otherwise
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
            # OpenSM writes its log when it ends.
            process.terminate()
            process.wait()


def _text(path: Path) -> str:
    return path.read_text(errors="replace") if path.exists() else ""


def _path() -> str:
    return f"{os.environ['PATH']}:/usr/sbin"


def _library() -> Path:
    """What connects the tools with ibsim instead of a device."""
    return next(Path("/usr/lib").glob("*/umad2sim/libumad2sim.so"))
