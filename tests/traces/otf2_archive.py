"""Traces in OTF2, written by its own library with the events that Score-P writes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import otf2
from otf2.enums import CollectiveOp, GroupType, LocationType, Paradigm, RegionRole
from weft.traces.otf2 import otf2_rows

#: Ticks of the clock.
TICKS_PER_S = 1_000_000


class Rank:
    """The events of one rank; every call of MPI takes ten microseconds."""

    def __init__(self, archive: "Archive", writer: Any) -> None:
        self.archive, self.writer, self.now = archive, writer, 0
        self.call("MPI_Init")

    def compute(self, us: int) -> "Rank":
        self.now += us
        return self

    def call(self, region: str, *events: tuple[str, dict[str, Any]]) -> "Rank":
        """A region of MPI with the events in it, by the names of the library's methods."""
        where = self.archive.region(region)
        self.writer.enter(self.now, where)
        self.now += 5
        for name, values in events:
            getattr(self.writer, name)(self.now, **values)
        self.now += 5
        self.writer.leave(self.now, where)
        return self


class Archive:
    """A trace of so many ranks with its communicators: all ranks, one alone, and others."""

    def __init__(self, trace: Any, ranks: int) -> None:
        self.definitions = trace.definitions
        self.regions: dict[str, Any] = {}
        node = self.definitions.system_tree_node("machine")
        locations = []
        for rank in range(ranks):
            group = self.definitions.location_group(f"rank {rank}", system_tree_parent=node)
            locations.append(
                self.definitions.location("main", type=LocationType.CPU_THREAD, group=group)
            )
        self._group(GroupType.COMM_LOCATIONS, locations)
        self.world = self.comm("MPI_COMM_WORLD", range(ranks))
        alone = self._group(GroupType.COMM_SELF, ())
        self.alone = self.definitions.comm("MPI_COMM_SELF", group=alone)
        self.ranks = [Rank(self, trace.event_writer_from_location(each)) for each in locations]

    def comm(self, name: str, ranks: Sequence[int]) -> Any:
        """A communicator of some ranks, in their order."""
        return self.definitions.comm(name, group=self._group(GroupType.COMM_GROUP, tuple(ranks)))

    def region(self, name: str) -> Any:
        if name not in self.regions:
            self.regions[name] = self.definitions.region(
                name, paradigm=Paradigm.MPI, region_role=RegionRole.FUNCTION
            )
        return self.regions[name]

    def _group(self, kind: Any, members: Sequence[Any]) -> Any:
        return self.definitions.group(
            "", group_type=kind, paradigm=Paradigm.MPI, members=tuple(members)
        )


@contextmanager
def archive(folder: Path, ranks: int) -> Iterator[Archive]:
    """Write a trace to `folder`; its file is `ANCHOR`."""
    with otf2.writer.open(str(folder), timer_resolution=TICKS_PER_S) as trace:
        yield Archive(trace, ranks)


def anchor(folder: Path) -> Path:
    return folder / "traces.otf2"


def written(
    tmp_path: Path, ranks: int, fill: Callable[[Archive], None], columns: str = ""
) -> list[dict[str, Any]]:
    """The rows of a trace, of rank 0 first, without what each rank computes at its end."""
    with archive(tmp_path / "otf2", ranks) as trace:
        fill(trace)
        for rank in trace.ranks:
            rank.call("MPI_Finalize")
    wanted = columns.split()
    rows = [{**row} for row in otf2_rows(anchor(tmp_path / "otf2"))]
    return [
        {name: row[name] for name in wanted or row if name in row}
        for row in rows
        if row["call"] != "Compute"
    ]


def to(trace: Archive, other: int, size: int = 100, tag: int = 7, **more: Any) -> dict[str, Any]:
    sizes = {"communicator": trace.world, "msg_tag": tag, "msg_length": size}
    return {**sizes, "receiver": other, **more}


def by(trace: Archive, other: int, size: int = 100, tag: int = 7, **more: Any) -> dict[str, Any]:
    sizes = {"communicator": trace.world, "msg_tag": tag, "msg_length": size}
    return {**sizes, "sender": other, **more}


def ended(trace: Archive, name: str, sent: int, received: int, root: int = 0) -> dict[str, Any]:
    operation = getattr(CollectiveOp, name)
    sizes = {"size_sent": sent, "size_received": received}
    return {"collective_op": operation, "communicator": trace.world, "root": root, **sizes}
