"""Who the members of recorded communicators and windows are."""

from __future__ import annotations

from collections import Counter, defaultdict

from weft.engines.hardware.neighbours import Neighbours, neighbours_of
from weft.tables.traces import TraceRow

#: A communicator: the one that it was made of, the how manieth of that, and its colour. Its members
#: all know it by this, while their numbers for it differ.
Group = tuple["Group | None", int, int]
ALL: Group = (None, 0, 0)
#: The number of all ranks, and of the rank alone.
_WORLD, _SELF = 0, 1
#: In place of how many a communicator has made: those of a group are made by its members alone.
_OF_GROUP = -1
_WINDOWS = ("Win_create", "Win_allocate_shared")
_TOPOLOGIES = ("Cart_create", "Dist_graph_create_adjacent")


class KnownGroups:
    """The communicators and windows of all ranks, as far as their calls have been read."""

    def __init__(self) -> None:
        self._known: dict[int, dict[int, Group]] = defaultdict(lambda: {_WORLD: ALL})
        self._made: Counter[tuple[int, Group]] = Counter()
        self._members: dict[Group, dict[int, int]] = defaultdict(dict)
        self._own_places: dict[tuple[Group, int], int] = {}
        #: The members of a group as places in the communicator that it is of.
        self._places: dict[tuple[int, ...], int] = {}
        self._neighbours: dict[tuple[Group, int], Neighbours] = {}
        #: Of windows, by rank and number.
        self._opened: dict[tuple[int, int], Group] = {}

    def add(self, row: TraceRow) -> None:
        """The next call of a rank."""
        rank, call = row["rank"], row["call"]
        if call == "Comm_create_group":
            self._make_of_group(row)
        elif call in ("Comm_split", "Comm_dup", "Comm_idup", *_TOPOLOGIES):
            self._make(row)
        elif call in _WINDOWS:
            self._opened[rank, row["file"]] = self._of_comm(rank, row["comm"])

    def group(self, row: TraceRow) -> Group:
        """Where a call counts its ranks: in its communicator, or in that of its window."""
        opened = self._opened.get((row["rank"], row.get("file", -1)))
        return self._of_comm(row["rank"], row["comm"]) if opened is None else opened

    def own_place(self, group: Group, rank: int) -> int:
        """The place of a member."""
        if group[0] is None:
            return rank if group == ALL else 0
        if (group, rank) in self._own_places:
            return self._own_places[group, rank]
        return self.own_place(group[0], rank)  # of a copy

    def member(self, group: Group, place: int) -> int:
        """The rank at a place; every member's calls must have been read."""
        if group[0] is not None and group[1] == _OF_GROUP:
            return self.member(group[0], list(self._places)[group[2]][place])
        while group not in self._members and group[0] is not None:
            group = group[0]  # a copy has the members of what it is a copy of
        return place if group == ALL else self._members[group][place]

    def neighbours(self, group: Group, rank: int) -> Neighbours:
        """The neighbours of a member, as places; a communicator without a topology has none."""
        while (group, rank) not in self._neighbours and group[0] is not None and group[2] < 0:
            group = group[0]
        return self._neighbours.get((group, rank), Neighbours())

    def _of_comm(self, rank: int, comm: int) -> Group:
        known = self._known[rank]
        if comm == _SELF and comm not in known:
            known[_SELF] = (None, 1, rank)
            self._members[known[_SELF]][0] = rank
        return known[comm]

    def _make_of_group(self, row: TraceRow) -> None:
        rank = row["rank"]
        parent = self._of_comm(rank, row["comm"])
        number, *places = row["more"] or [-1]
        made = (parent, _OF_GROUP, self._places.setdefault(tuple(places), len(self._places)))
        self._known[rank][number] = made
        self._own_places[made, rank] = places.index(self.own_place(parent, rank))

    def _make(self, row: TraceRow) -> None:
        rank, more = row["rank"], row["more"] or []
        parent = self._of_comm(rank, row["comm"])
        number = self._made[rank, parent]
        self._made[rank, parent] += 1
        if more[0] < 0:
            return  # the rank is in none of the new ones
        is_split = row["call"] == "Comm_split" or row["call"] in _TOPOLOGIES
        made: Group = (parent, number, more[1] if is_split else -1)
        self._known[rank][more[0]] = made
        if is_split:
            self._members[made][more[2]] = rank
            self._own_places[made, rank] = more[2]
        if row["call"] in _TOPOLOGIES:
            self._neighbours[made, rank] = neighbours_of(row)
