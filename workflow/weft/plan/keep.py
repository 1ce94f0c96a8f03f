"""Which earlier shards a new plan keeps, so that nothing finished is computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from weft.plan.model import Shard
from weft.plan.outcome import ShardOutcome
from weft.plan.points import Points

#: How a shard ended; None for one that has not.
LookUp = Callable[[Shard], ShardOutcome | None]
#: A shard with the places of its planned points.
_Placed = tuple[Shard, NDArray[np.int64]]
#: Whether a shard with points at some places is to stay though it holds no result.
Fits = Callable[[Shard, NDArray[np.int64]], bool]
#: Shards on the disk, of whatever plan, that may hold some of the points asked for.
Earlier = Callable[[Points], Iterable[Shard]]


def kept_shards(
    points: Points,
    versions: Mapping[str, str],
    status: LookUp,
    previous: Sequence[Shard],
    earlier: Earlier | None,
    fits: Fits = lambda shard, places: True,
) -> tuple[tuple[Shard, ...], NDArray[np.bool_]]:
    """Shards of the `previous` plan, then for what these lack those of `earlier` plans.

    A shard stays when its engine has the version in `versions`, when all its points are planned or
    it ended and one of them is, and when it `fits`. No planned point is in two of them: the
    previous plan's go first, then those that ended, then those with most planned points. Returns
    also which points they hold.
    """
    kept: list[Shard] = []
    held = np.zeros(len(points), bool)

    def take(candidates: Iterable[_Placed]) -> None:
        for shard, mine in candidates:
            # With rows of one point from two shards, the database would count it twice.
            stays = _stays(shard, len(mine), versions, status) and fits(shard, mine)
            if stays and not held[mine].any():
                kept.append(shard)
                held[mine] = True

    def rank(candidate: _Placed) -> tuple[bool, int, str]:
        shard, mine = candidate
        return status(shard) is None, -len(mine), shard.shard_id

    take(points.of_shards(previous))
    if earlier is not None and not held.all():
        take(sorted(points.of_shards([*earlier(points.take(~held))]), key=rank))
    return tuple(kept), held


def _stays(shard: Shard, planned: int, versions: Mapping[str, str], status: LookUp) -> bool:
    if not planned or versions.get(shard.engine) != shard.engine_version:
        return False
    return planned == len(shard.point_ids) or status(shard) is not None
