"""Execution traces of Chakra as traces of weft: steps of training, with their collectives.

Each rank has a file `<name>.<rank>.et`. Source for what attributes mean: MLCommons Chakra,
`src/feeder`, and ASTRA-sim's use of it. Dependencies are kept. Kernels of several streams are
computing of one rank, one after the other; communication goes on beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from weft.tables.traces import TraceError, TraceRow
from weft.traces.chakra_file import Node, read_nodes
from weft.traces.communicators import ALL, Communicator, Communicators, communicators
from weft.traces.dependencies import Operation, in_order
from weft.traces.lines import computing

ENDING = ".et"
_FILE = re.compile(r"(?P<name>.*)\.(?P<rank>\d+)\.et")
#: By `comm_type`. `comm_size` counts what a rank puts in. Where each rank gets a share of that, a
#: call of MPI counts the share.
_COLLECTIVES = (
    "Iallreduce", "Ireduce", "Iallgather", "Igather", "Iscatter", "Ibcast", "Ialltoall",
    "Ireduce_scatter_block", "Ireduce_scatter_block", "Ibarrier",
)  # fmt: skip
_SHARED = frozenset({"Iscatter", "Ialltoall", "Ireduce_scatter_block"})
_ROOTED = frozenset({"Ireduce", "Igather", "Iscatter", "Ibcast"})
#: Nodes that take the time that they say.
_TIMED = frozenset({"COMP_NODE", "STORAGE_NODE", "BATCH_NODE", "CHECKPOINT_NODE"})
_MEMORY = frozenset({"MEM_LOAD_NODE", "MEM_STORE_NODE"})


def chakra_files(source: Path) -> list[Path]:
    """The files of all ranks, of a folder or of one of them.

    Raises TraceError when one is missing or the folder has those of several traces.
    """
    found: dict[str, dict[int, Path]] = {}
    folder = source if source.is_dir() else source.parent
    for path in sorted(folder.glob(f"*{ENDING}")):
        if match := _FILE.fullmatch(path.name):
            found.setdefault(match["name"], {})[int(match["rank"])] = path
    if not source.is_dir():
        match = _FILE.fullmatch(source.name)
        if not match:
            raise TraceError(f"{source}: a file of Chakra is named after its rank, like x.0.et")
        found = {match["name"]: found[match["name"]]}
    if len(found) != 1:
        named = f"those of {', '.join(sorted(found))}: name one file" if found else "none"
        wanted = "must have the files of one trace, like x.0.et and x.1.et"
        raise TraceError(f"{source} {wanted}; it has {named}")
    ranks = next(iter(found.values()))
    for rank in range(len(ranks)):
        if rank not in ranks:
            raise TraceError(f"{source}: the file of rank {rank} is missing")
    return [ranks[rank] for rank in range(len(ranks))]


def chakra_rows(files: Sequence[Path], flops_per_s: float | None = None) -> Iterator[TraceRow]:
    """The rows of all ranks; one rank at a time is held.

    Raises TraceError with file and node.
    """
    groups = communicators(len(files), _groups(files), shared=True)
    world = _World(len(files), groups, flops_per_s)
    for rank, path in enumerate(files):
        yield from groups.made_by(rank)
        begun = bool(groups.splits)
        for row in in_order(_operations(path, world)):
            begun = True
            yield {"rank": rank, **row}
        if not begun:
            # A rank without nodes ends at once.
            yield {"rank": rank, "call": "Compute"}


def _groups(files: Sequence[Path]) -> dict[str, list[int]]:
    """The ranks of each process group: those that call its collectives."""
    members: dict[str, set[int]] = {}
    for rank, path in enumerate(files):
        for node in read_nodes(path):
            if node.kind == "COMM_COLL_NODE" and (name := node.values.get("pg_name")):
                members.setdefault(str(name), set()).add(rank)
    return {name: sorted(ranks) for name, ranks in members.items()}


@dataclass(frozen=True, slots=True)
class _World:
    """What the nodes of a rank count in."""

    ranks: int
    groups: Communicators[str]
    flops_per_s: float | None


def _operations(path: Path, world: _World) -> list[Operation]:
    nodes = list(read_nodes(path))
    places: dict[int, int] = {}
    for place, node in enumerate(nodes):
        if places.setdefault(node.id, place) != place:
            raise node.wrong("the file has this id twice")
    found = []
    for node in nodes:
        for each in node.needs:
            if each not in places:
                raise node.wrong(f"it depends on node {each}, which the file does not have")
        needs = [places[each] for each in dict.fromkeys(node.needs)]
        found.append(Operation(node.wrong, _row(node, world), needs, needs))
    return found


def _row(node: Node, world: _World) -> TraceRow | None:
    """The call of a node; None where it only holds others together."""
    if node.kind in _TIMED or (node.kind in _MEMORY and node.duration_s > 0):
        return _computing(node, world.flops_per_s)
    if node.kind in _MEMORY:
        return {"call": "Copy", "bytes": node.whole("tensor_size", 0)}
    if node.kind == "COMM_SEND_NODE":
        return {"call": "Isend", **_message(node, "comm_dst", world.ranks)}
    if node.kind == "COMM_RECV_NODE":
        return {"call": "Irecv", **_message(node, "comm_src", world.ranks)}
    if node.kind == "COMM_COLL_NODE":
        return _collective(node, world)
    if node.kind == "METADATA_NODE":
        return None
    raise node.wrong("weft has nothing for this type of node")


def _computing(node: Node, flops_per_s: float | None) -> TraceRow | None:
    if node.duration_s > 0:
        return {"call": "Device_compute", "compute_s": computing(node.wrong, node.duration_s)}
    operations = node.whole("num_ops", 0)
    if not operations:
        return None
    if not flops_per_s:
        raise node.wrong("it counts operations: say how many a second, by --flops")
    return {"call": "Device_compute", "compute_s": computing(node.wrong, operations / flops_per_s)}


def _message(node: Node, other: str, ranks: int) -> TraceRow:
    peer, tag = node.whole(other), node.whole("comm_tag", 0)
    if peer >= ranks:
        raise node.wrong(f"{other} is {peer}, ranks are 0 to {ranks - 1}")
    if tag >= 1 << 31:
        raise node.wrong(f"comm_tag is {tag}, must be less than 2^31")
    return {"peer": peer, "bytes": node.whole("comm_size"), "tag": tag}


def _collective(node: Node, world: _World) -> TraceRow:
    kind = node.whole("comm_type")
    if kind >= len(_COLLECTIVES):
        raise node.wrong(f"comm_type is {kind}, must be 0 to {len(_COLLECTIVES) - 1}")
    involved = node.values.get("involved_dim")
    if isinstance(involved, Iterable) and not all(involved):
        raise node.wrong("involved_dim leaves dimensions out: say who takes part by pg_name")
    name = str(node.values.get("pg_name") or "")
    group = world.groups.by_name[name] if name else Communicator(ALL, range(world.ranks))
    call = _COLLECTIVES[kind]
    row: TraceRow = {"call": call, "comm": group.number}
    if call != "Ibarrier":
        size = node.whole("comm_size")
        row["bytes"] = -(-size // len(group.ranks)) if call in _SHARED else size
    if call in _ROOTED:
        root = node.whole("root", group.ranks[0])
        if root not in group.ranks:
            raise node.wrong(f"root is {root}, which is not a rank of the group {name or 'of all'}")
        row["peer"] = group.ranks.index(root)
    return row
