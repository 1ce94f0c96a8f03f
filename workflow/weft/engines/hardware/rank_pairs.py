"""What ranks sent to each other, as the recorder saw it: messages that the program sent itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from weft.tables.traces import CALLS, TraceRow

#: A communicator: the one that it was made of, the how manieth of that, and its colour. Its members
#: all know it by this, while their numbers for it differ.
Group = tuple["Group | None", int, int]
ALL: Group = (None, 0, 0)
#: The number of all ranks, and of the rank alone.
_WORLD, _SELF = 0, 1
_SENDS = {name for name, call in CALLS.items() if call.peer == "to"}


class SentMessages:
    """Messages and bytes by source and destination, in the communicator of all."""

    def __init__(self) -> None:
        self._known: dict[int, dict[int, Group]] = defaultdict(lambda: {_WORLD: ALL})
        self._made: Counter[tuple[int, Group]] = Counter()
        self._members: dict[Group, dict[int, int]] = defaultdict(dict)
        self._sent: dict[tuple[int, Group, int], list[int]] = {}

    def add(self, row: TraceRow) -> None:
        """The next call of a rank."""
        rank, call, comm = row["rank"], row["call"], row["comm"]
        known = self._known[rank]
        if call in ("Comm_split", "Comm_dup"):
            self._make(rank, call, known[comm], list(row["more"] or ()))
        elif call in _SENDS and (peer := row.get("peer", -1)) >= 0:
            if comm == _SELF:
                known[_SELF] = (None, 1, rank)
                self._members[known[_SELF]][0] = rank
            sent = self._sent.setdefault((rank, known[comm], peer), [0, 0])
            sent[0] += 1
            sent[1] += row["bytes"]

    def _make(self, rank: int, call: str, parent: Group, more: list[int]) -> None:
        number = self._made[rank, parent]
        self._made[rank, parent] += 1
        if more[0] < 0:
            return  # the rank is in none of the new ones
        color, place = (more[1], more[2]) if call == "Comm_split" else (-1, -1)
        made: Group = (parent, number, color)
        self._known[rank][more[0]] = made
        if call == "Comm_split":
            self._members[made][place] = rank

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """Source, destination, messages and bytes, in order."""
        found: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
        for (rank, group, peer), (messages, size) in self._sent.items():
            pair = found[rank, self._member(group, peer)]
            pair[0] += messages
            pair[1] += size
        for (source, destination), (messages, size) in sorted(found.items()):
            yield source, destination, messages, size

    def _member(self, group: Group, place: int) -> int:
        """The rank at a place of a communicator."""
        while group not in self._members and group[0] is not None:
            group = group[0]  # a copy has the members of what it is a copy of
        return place if group == ALL else self._members[group][place]
