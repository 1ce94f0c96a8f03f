"""Which earlier shards a new plan keeps, so that nothing finished is computed again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from weft.plan.model import Shard
from weft.plan.outcome import ShardOutcome

#: How a shard ended; None for one that has not.
LookUp = Callable[[Shard], ShardOutcome | None]
#: Shards on the disk, of whatever plan, that may hold some of the points asked for.
Earlier = Callable[[Collection[str]], Iterable[Shard]]


def kept_shards(
    planned: frozenset[str],
    versions: Mapping[str, str],
    status: LookUp,
    previous: Sequence[Shard],
    earlier: Earlier | None,
) -> tuple[Shard, ...]:
    """Shards of the `previous` plan, then for what these lack those of `earlier` plans.

    A shard stays when its engine has the version in `versions`, and all its points are `planned` or
    it ended and one of them is. No planned point is in two of them: the previous plan's go first,
    then those that ended, then those with most planned points.
    """
    kept: list[Shard] = []
    held: set[str] = set()

    def take(candidates: Iterable[Shard]) -> None:
        for shard in candidates:
            mine = planned.intersection(shard.point_ids)
            # With rows of one point from two shards, the database would count it twice.
            if _stays(shard, mine, versions, status) and held.isdisjoint(mine):
                kept.append(shard)
                held.update(mine)

    def rank(shard: Shard) -> tuple[bool, int, str]:
        return status(shard) is None, -len(planned.intersection(shard.point_ids)), shard.shard_id

    take(previous)
    missing = planned - held
    if earlier is not None and missing:
        take(sorted(earlier(missing), key=rank))
    return tuple(kept)


def _stays(
    shard: Shard, mine: Collection[str], versions: Mapping[str, str], status: LookUp
) -> bool:
    if not mine or versions.get(shard.engine) != shard.engine_version:
        return False
    return len(mine) == len(shard.point_ids) or status(shard) is not None
