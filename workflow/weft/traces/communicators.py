"""The communicators of a trace of others: their numbers, and the splits that make them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from weft.tables.traces import TraceRow

Name = TypeVar("Name", bound=Hashable)
#: Numbers of communicators that every rank has from the start: all ranks, and itself.
ALL, ALONE, FIRST_MADE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Communicator:
    """Ranks that have a communicator: its number, and themselves in their order."""

    number: int
    ranks: Sequence[int]


@dataclass(frozen=True, slots=True)
class Communicators(Generic[Name]):
    """Communicators by what the trace calls them."""

    by_name: Mapping[Name, Communicator]
    #: The groups of ranks that each split makes, by color.
    splits: Sequence[Sequence[Sequence[int]]]

    def made_by(self, rank: int) -> Iterator[TraceRow]:
        """The calls with which a rank begins, so that it has its communicators."""
        for number, groups in enumerate(self.splits, start=FIRST_MADE):
            color = next((at for at, ranks in enumerate(groups) if rank in ranks), -1)
            key = groups[color].index(rank) if color >= 0 else 0
            yield {"rank": rank, "call": "Comm_split", "comm": ALL, "more": [number, color, key]}


def communicators(
    ranks: int, groups: Mapping[Name, Sequence[int]], shared: bool
) -> Communicators[Name]:
    """A communicator for each group of ranks; groups without a common rank need one split.

    Where `shared`, groups of the same ranks have one communicator, and all ranks in their order
    are the one that exists. Else only the first group of all ranks is that one, since messages of
    different communicators never meet.
    """
    everybody = tuple(range(ranks))
    known: dict[tuple[int, ...], int] = {}
    found: dict[Name, Communicator] = {}
    splits: list[list[tuple[int, ...]]] = []
    for name, given in groups.items():
        own = tuple(given)
        if own not in known:
            known[own] = ALL if own == everybody else FIRST_MADE + _place(splits, own)
        elif not shared:
            known[own] = FIRST_MADE + _place(splits, own)
        found[name] = Communicator(known[own], own)
    return Communicators(found, splits)


def _place(splits: list[list[tuple[int, ...]]], own: tuple[int, ...]) -> int:
    """The split that makes a group too: the first whose groups have no rank of it."""
    members = set(own)
    fits = (n for n, made in enumerate(splits) if all(members.isdisjoint(each) for each in made))
    at = next(fits, len(splits))
    if at == len(splits):
        splits.append([])
    splits[at].append(own)
    return at
