"""What ranks did over time, as the recorder saw it: computing, and being in a call."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

#: Most ranks of the table, and most intervals of a rank: those of the simulators.
MOST_RANKS, MOST_INTERVALS = 64, 256
#: Calls of a rank beyond which neighbours are added up, and in how many parts of its time at least.
MOST_CALLS, _FINEST = 16 * MOST_INTERVALS, 4 * MOST_INTERVALS


@dataclass(slots=True)
class CoursePart:
    """How long a rank computed within an interval, and how long it was in calls."""

    start_s: float
    end_s: float
    compute_s: float = 0.0
    call_s: float = 0.0

    @property
    def is_of_one_kind(self) -> bool:
        """Whether the rank did one thing only."""
        return not (self.compute_s and self.call_s)

    def continues(self, other: CoursePart) -> bool:
        """Whether it does the one thing that `other` does."""
        alike = bool(self.call_s) == bool(other.call_s)
        return self.is_of_one_kind and other.is_of_one_kind and alike


class RankCourses:
    """The pieces of all ranks: computing and a call, in turn.

    The memory does not grow with the number of calls. Of a rank with many, short neighbours are
    one piece: first their computing, then their calls. It is at most a quarter of an interval.
    """

    def __init__(self) -> None:
        self._pieces: dict[int, array[float]] = {}

    def add(self, rank: int, compute_s: float, inside_s: float) -> None:
        """The next call of a rank, and the computing before it."""
        pieces = self._pieces.setdefault(rank, array("d"))
        pieces.extend((compute_s, inside_s))
        if len(pieces) > 2 * MOST_CALLS:
            self._pieces[rank] = _added_up(pieces, sum(pieces) / _FINEST)

    def inside_s(self, rank: int) -> float:
        """How long a rank was in calls."""
        return sum(self._pieces[rank][1::2])

    @property
    def compute_imbalance(self) -> float | None:
        """The longest time that a rank computes, divided by the mean of all ranks."""
        times = [sum(pieces[0::2]) for pieces in self._pieces.values()]
        return max(times) * len(times) / sum(times) if sum(times) > 0 else None

    def shown(self) -> list[tuple[int, float | None]]:
        """All ranks; of many, those at quantiles of the time in calls, with their shares."""
        ranks = sorted(self._pieces)
        if len(ranks) <= MOST_RANKS:
            return [(rank, None) for rank in ranks]
        ranks.sort(key=self.inside_s)
        shares = [number / (MOST_RANKS - 1) for number in range(MOST_RANKS)]
        return [(ranks[round(share * (len(ranks) - 1))], share) for share in shares]

    def intervals(self, rank: int) -> Iterator[CoursePart]:
        """The course of a rank; neighbours in which it does one thing are one interval."""
        length_s = max(map(sum, self._pieces.values())) / MOST_INTERVALS
        held: CoursePart | None = None
        for found in self._cut(rank, length_s):
            if held and found.continues(held):
                held.end_s = found.end_s
                held.compute_s += found.compute_s
                held.call_s += found.call_s
            else:
                if held:
                    yield held
                held = found
        if held:
            yield held

    def _cut(self, rank: int, length_s: float) -> Iterator[CoursePart]:
        """The course in intervals of one length; the last one may be shorter."""
        now_s, found, number = 0.0, CoursePart(0.0, 0.0), 1
        for place, left_s in enumerate(self._pieces[rank]):
            while left_s > 0:
                part_s = min(left_s, number * length_s - now_s)
                if part_s <= 0 and number < MOST_INTERVALS:
                    yield found
                    found, number = CoursePart(now_s, now_s), number + 1
                    continue
                # Rounding may leave a little behind the last interval.
                part_s = part_s if part_s > 0 else left_s
                if place % 2:
                    found.call_s += part_s
                else:
                    found.compute_s += part_s
                now_s, left_s = now_s + part_s, left_s - part_s
                found.end_s = now_s
        if found.end_s > found.start_s:
            yield found


def _added_up(pieces: array[float], most_s: float) -> array[float]:
    """The pieces, of which neighbours are one where both together take no longer than `most_s`."""
    found = array("d", pieces[:2])
    for place in range(2, len(pieces), 2):
        compute_s, inside_s = pieces[place], pieces[place + 1]
        if found[-2] + found[-1] + compute_s + inside_s <= most_s:
            found[-2] += compute_s
            found[-1] += inside_s
        else:
            found.extend((compute_s, inside_s))
    return found
