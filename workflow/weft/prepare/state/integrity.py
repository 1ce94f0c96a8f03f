"""What is missing, altered or not collected is computed and collected again.

Snakemake compares times, and does not check the inputs of a finished page. So this module removes
what is no longer valid before Snakemake looks. A dry run instead gets a newer input.

Where nothing is to be collected, files that look as when they were collected are not read. Where
something is, the collection compares all of them with their checksums. So this module does that
first: what it finds is computed again in the same run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from weft.database import read_stamp
from weft.files import Aside
from weft.files.layout import ExperimentFolder, Results
from weft.plan.outcome import DamagedError
from weft.plan.outcomes import Outcomes, held_damage
from weft.plan.plan import Plan
from weft.prepare.state.collection_name import read_name, rename_collection


@dataclass(frozen=True, slots=True)
class Lost:
    """Newer inputs of a collection that is `stale`, and by shard of those that were damaged."""

    stale: tuple[str, ...]
    changed: Mapping[str, str]


def forget(
    plan: Plan,
    outcomes: Outcomes,
    results: Path,
    *,
    partial: bool,
    aside: Aside | None,
    again: bool,
) -> Lost:
    """Remove the outcomes of damaged shards, and the stamp of a collection that lacks shards, or
    is to be made `again`: the database is not whole, or the plan is written again, of which a look
    does not know what a run finds.

    Names damaged files on the terminal. With `aside` nothing is removed; what is returned
    are newer inputs, for which a look sees that a run would compute and collect again.
    """
    mine = Results(results).experiment(plan.experiment)
    stamp = mine.stamp
    stale = _lacks(plan, outcomes, partial) or again
    stale = not _noted(mine) or stale
    if stale:
        outcomes.read_all()
    changed = {}
    for shard in plan.shards:
        if outcomes(shard) is None and shard.shard_id in outcomes.damaged:
            reason = outcomes.damaged[shard.shard_id]
            print(
                f"weft: {plan.experiment}: {reason}: shard {shard.shard_id} is computed again",
                file=sys.stderr,
            )
            status = ExperimentFolder(outcomes.folder).shard(shard.engine, shard.shard_id).status
            if aside:
                changed[shard.shard_id] = _newer(aside, status)
            else:
                status.unlink(missing_ok=True)
    if stale and not aside:
        stamp.unlink(missing_ok=True)
        rename_collection(mine)
    return Lost((_newer(aside, stamp),) if stale and aside else (), changed)


def _noted(folder: ExperimentFolder) -> bool:
    """Whether the files of a collection say what was collected, and under which name."""
    damage = [held_damage(folder.path)]
    with suppress(OSError):
        damage.append(_damage(read_stamp, folder))
    with suppress(OSError):
        damage.append(_damage(read_name, folder))
    found = [each for each in damage if each]
    for each in found:
        print(f"weft: {folder.name}: {each}: it is collected again", file=sys.stderr)
    return not found and folder.stamp.exists()


def _damage(read: Callable[[ExperimentFolder], object], folder: ExperimentFolder) -> str | None:
    try:
        read(folder)
    except DamagedError as error:
        return error.what
    return None


def _lacks(plan: Plan, outcomes: Outcomes, partial: bool) -> bool:
    """Whether the database holds other outcomes than there are, or some are still to come."""
    found = {shard.shard_id: outcomes(shard) for shard in plan.shards}
    there = {name: outcome.seal for name, outcome in found.items() if outcome}
    held: Mapping[str, str] = {name: each.seal for name, each in outcomes.held.items()}
    return there != held or (len(there) < len(found) and not partial)


def _newer(aside: Aside, path: Path) -> str:
    return str(aside(path.with_name(f"{path.name}.forgotten"), path.name))
