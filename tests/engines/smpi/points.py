"""Points for engine `smpi` and the same for `flow`, and what both answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weft.config.model.engine import declared_engines
from weft.engines.base import Engine
from weft.engines.native import NativeEngine
from weft.engines.smpi.engine import SmpiEngine

from tests.engines.simgrid.points import ROOT, run

#: What SMPI adds to every message, in bytes.
ENVELOPE = 16
RATE = 4e9
NETWORK = {"bandwidth_bytes_per_s": RATE, "latency_s": 1e-6, "hop_latency_s": 1e-7}
#: The same for flow, whose messages get a header of the envelope's size, and share their NIC.
HEADED = {
    **NETWORK,
    "packet": {"header_bytes": ENVELOPE, "mtu_bytes": 2048},
    "nic": {"service": "round_robin"},
}
SMPI = SmpiEngine(())


def point(
    program: str,
    ranks: int,
    topology: Mapping[str, Any],
    network: Mapping[str, Any] = HEADED,
    sizes: Sequence[int] | None = None,
    arguments: Sequence[str] = (),
    engine: str = "smpi",
    **more: Any,
) -> dict[str, Any]:
    """A resolved point of a program: its name, or a path of its source; `more` are options."""
    source = program if program.endswith(".c") else f"programs/{program}.c"
    model = declared_engines(ROOT / "configs")[engine].model
    name = "a" * 12
    return {
        "point_id": name, "digest": name, "engine": engine, "seed": 1,
        "topology": topology, "network": network,
        "workload": {
            "kind": "program", "program": Path(source).stem, "source": source, "ranks": ranks,
            "message_bytes": sizes, "arguments": list(arguments),
        },
        "options": {**model().spec(), **more},
    }  # fmt: skip


def line_of(
    folder: Path, *parts: Any, machine: Mapping[str, Any] = {}, **more: Any
) -> dict[str, Any]:
    """The journal line of one point in SMPI."""
    (line,) = run(SMPI, folder, [point(*parts, **more)], machine)
    return line


def answer(folder: Path, *parts: Any, **more: Any) -> dict[tuple[str, int | None], float]:
    """SMPI's metrics by name and size."""
    return _answer(SMPI, folder, point(*parts, **more))


def flow_answer(folder: Path, *parts: Any, **more: Any) -> dict[tuple[str, int | None], float]:
    """Flow's by max-min fairness."""
    asked = point(*parts, engine="flow", model="max_min", **more)
    return _answer(NativeEngine("flow", "crate", ()), folder, asked)


def _answer(
    engine: Engine, folder: Path, asked: Mapping[str, Any]
) -> dict[tuple[str, int | None], float]:
    (line,) = run(engine, folder, [asked])
    assert line["error"] is None, line
    return {(row["metric"], row["message_bytes"]): row["value"] for row in line["metrics"]}


def written(folder: Path, body: str, name: str = "own") -> str:
    """The path of a program whose MGEN_Main has this body, after rank and size are known."""
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.c"
    file.write_text(
        '#include "mgen.h"\n#include <stdlib.h>\n'
        "int MGEN_Main(int argc, char **argv) {\n"
        "int rank, size, bytes = argc > 1 ? atoi(argv[1]) : 0;\n"
        "MGEN_Comm_rank(MGEN_COMM_WORLD, &rank);\nMGEN_Comm_size(MGEN_COMM_WORLD, &size);\n"
        f"(void)bytes;\n{body}\nreturn 0;\n}}\n"
    )
    return str(file)


def plain(folder: Path, body: str, end: str = "MPI_Finalize(); return 0;") -> str:
    """The path of a plain MPI program with this body, after rank and size are known."""
    folder.mkdir(exist_ok=True)
    file = folder / "plain.c"
    file.write_text(
        "#include <mpi.h>\n#include <stdlib.h>\n#include <string.h>\n"
        "int main(int argc, char **argv) {\nint rank, size;\nMPI_Init(&argc, &argv);\n"
        "int bytes = argc > 1 ? atoi(argv[1]) : 0;\nchar *data = malloc(bytes + 1);\n"
        "MPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_size(MPI_COMM_WORLD, &size);\n"
        f"(void)data;\n{body}\n{end}\n}}\n"
    )
    return str(file)
