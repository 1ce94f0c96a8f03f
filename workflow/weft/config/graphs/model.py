"""Graphs: the links of a file as written, and the network that follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """One end of a link: a name, and the port that the file gives, which counts from any number."""

    name: str
    port: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A cable as its file lists it: both directions, or one if `one_way`.

    `bandwidth_bytes_per_s` and `latency_s` are None where the network section decides. `line`
    counts from 1.
    """

    start: LinkEnd
    end: LinkEnd
    line: int
    bandwidth_bytes_per_s: float | None = None
    latency_s: float | None = None
    link_class: str = "link"
    one_way: bool = False

    @property
    def ends(self) -> tuple[LinkEnd, LinkEnd]:
        """Both ends."""
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class LinkList:
    """What a file says: its links, and which names it calls nodes and switches, if it does.

    `places` stores the line of every name that the file declares.
    """

    links: Sequence[Link]
    nodes: frozenset[str] = frozenset()
    switches: frozenset[str] = frozenset()
    places: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class GraphChannel:
    """A directed channel. Ends below the number of nodes are nodes, the others switches.

    Ports of a switch count from 0; a node has one port, 0. `line` is that of its link in the file,
    0 where the file does not list it.
    """

    start: int
    start_port: int
    end: int
    end_port: int
    bandwidth_bytes_per_s: float | None
    latency_s: float | None
    channel_class: str
    name: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Graph:
    """A network: names of its nodes and switches in the order of their numbers, and its channels.

    Channels between switches stand in the order of their numbers. `file_ports` stores, by switch,
    the port for each number that the file gives one; switches without such numbers are missing.
    Where nodes of the file have several links, `nodes` are the rails of all of them, `hosts` the
    nodes as the file names them, and `rails` how many each has. `left_out` are nodes of the file
    that are no part of the network.
    """

    nodes: Sequence[str]
    switches: Sequence[str]
    channels: Sequence[GraphChannel]
    file_ports: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    hosts: Sequence[str] = ()
    rails: Sequence[int] = ()
    left_out: frozenset[str] = frozenset()

    def between_switches(self) -> Iterator[GraphChannel]:
        """The channels that join two switches."""
        first = len(self.nodes)
        return (each for each in self.channels if each.start >= first and each.end >= first)


class GraphProblem(ValueError):  # noqa: N818 - a message for a user, like those of other files
    """What is wrong with a graph file, and in which line, if one line is to blame."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(f"line {line}: {message}" if line is not None else message)
        self.line = line
