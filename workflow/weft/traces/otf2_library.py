"""What weft reads of a trace through the Python package `otf2`, which brings no types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol


def value_name(value: object) -> str:
    """The name of a value of the package's enumerations, `BCAST` of `CollectiveOp.BCAST`."""
    return str(value).rpartition(".")[2]


class Otf2Definition(Protocol):
    """A definition with its number; of locations weft reads nothing else."""

    _ref: int


class Otf2Group(Protocol):
    """Locations with a purpose."""

    group_type: object
    paradigm: object
    members: Sequence[Otf2Definition]


class CommunicatorDefinition(Otf2Definition, Protocol):
    """A communicator; one between two groups has no `group`."""

    group: Otf2Group


class Region(Protocol):
    """A function."""

    name: str


class Event(Protocol):
    """Any event has its `time`, in ticks; each kind has some of the others.

    Peers and roots are places in the communicator, sizes are bytes.
    """

    time: int
    region: Region
    communicator: CommunicatorDefinition
    sender: int
    receiver: int
    msg_tag: int
    msg_length: int
    request_id: int
    collective_op: object
    root: int
    size_sent: int
    size_received: int


class Definitions(Protocol):
    """All definitions of a trace."""

    groups: Iterable[Otf2Group]
    comms: Iterable[CommunicatorDefinition]


class Otf2Trace(Protocol):
    """An open trace. Its events can be read once."""

    definitions: Definitions
    timer_resolution: int

    def events(self, locations: Sequence[Otf2Definition]) -> Iterator[tuple[Otf2Definition, Event]]:
        """The events of locations, in the order of their times."""
