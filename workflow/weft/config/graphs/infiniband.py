"""What the text of InfiniBand's diagnostic tools has in common: records with ports, and speeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from weft.config.graphs.link_count import LinkCount
from weft.config.graphs.model import GraphProblem, Link, LinkEnd, LinkList

#: Data rate of a lane in Gbit/s, after its line code, by the name of its speed (InfiniBand
#: Architecture Specification, volume 2: 8b/10b up to QDR, 64b/66b from FDR10 on; HDR and later
#: name the rate of the data).
LANE_GBIT_PER_S = {
    "SDR": 2.0,
    "DDR": 4.0,
    "QDR": 8.0,
    "FDR10": 10.0,
    "FDR": 14.0625 * 64 / 66,
    "EDR": 25.0,
    "HDR": 50.0,
    "NDR": 100.0,
    "XDR": 200.0,
}
WIDTHS = ("1", "2", "4", "8", "12")
CUT = "was the text cut?"


@dataclass(frozen=True, slots=True)
class Port:
    """What a record lists for a port: record and port at the other end, and the link's speed."""

    peer: str
    peer_port: int
    bandwidth_bytes_per_s: float
    line: int


@dataclass(slots=True)
class Record:
    """A switch, or a channel adapter, which is a node; its ports by number."""

    is_node: bool
    name: str
    line: int
    ports: dict[int, Port] = field(default_factory=dict)

    def add(self, number: int, port: Port) -> None:
        """Store what a line lists. Raises GraphProblem where the port is listed twice."""
        if number in self.ports:
            raise GraphProblem(f"port {number} of {self.name} occurs twice", port.line)
        self.ports[number] = port


def bandwidth_bytes_per_s(width: str, speed: str, line: int) -> float:
    """The data rate of a link of `width` lanes (`4`) and a named speed (`EDR`), one direction.

    Raises GraphProblem for a width or speed that InfiniBand does not have.
    """
    if width not in WIDTHS:
        allowed = ", ".join(f"{each}x" for each in WIDTHS)
        raise GraphProblem(f"the link is {width}x wide, must be {allowed}", line)
    if speed not in LANE_GBIT_PER_S:
        allowed = ", ".join(LANE_GBIT_PER_S)
        raise GraphProblem(f"the link's speed is {speed}, must be {allowed}", line)
    return int(width) * LANE_GBIT_PER_S[speed] * 1e9 / 8


def link_list(records: Mapping[str, Record]) -> LinkList:
    """The links of all records, by identifier.

    Each link stands in the records of both its ends. Raises GraphProblem where one end is missing,
    as it is when the text was cut.
    """
    names = _names(records)
    links = tuple(_links(records, names))
    nodes = frozenset(names[each] for each, record in records.items() if record.is_node)
    places = tuple((names[each], record.line) for each, record in records.items())
    return LinkList(links, nodes, frozenset(names.values()) - nodes, places)


def _links(records: Mapping[str, Record], names: Mapping[str, str]) -> Iterator[Link]:
    count = LinkCount()
    for start, record in records.items():
        for number, port in record.ports.items():
            listed = _is_listed_back(records, start, number)
            if listed and (start, number) < (port.peer, port.peer_port):
                ends = LinkEnd(names[start], number), LinkEnd(names[port.peer], port.peer_port)
                link = Link(*ends, port.line, port.bandwidth_bytes_per_s)
                count.add([link])
                yield link


def _is_listed_back(records: Mapping[str, Record], start: str, number: int) -> bool:
    port = records[start].ports[number]
    if port.peer not in records:
        raise GraphProblem(f"{port.peer} has no record of its own; {CUT}", port.line)
    back = records[port.peer].ports.get(port.peer_port)
    if back is None or (back.peer, back.peer_port) != (start, number):
        other = f"{records[port.peer].name} (line {records[port.peer].line})"
        message = f"{other} does not list this link on port {port.peer_port}; {CUT}"
        raise GraphProblem(message, port.line)
    return True


def _names(records: Mapping[str, Record]) -> dict[str, str]:
    """A name for each identifier: its own, with the identifier behind it where others share it."""
    count = Counter(record.name for record in records.values())
    return {
        each: record.name if count[record.name] == 1 else f"{record.name} ({each})"
        for each, record in records.items()
    }
