"""What another version of an engine computes again: how many points, at what cost, and why."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from weft.engines import EngineError, engine
from weft.engines.changed_sources import changed_sources
from weft.engines.external.engine import ABSENT
from weft.engines.native import WORKSPACE, NativeEngine, project
from weft.files import unsealed
from weft.files.layout import ExperimentFolder, Results, ShardFolder
from weft.plan.outcome import DamagedError, read_status
from weft.plan.outcomes import Outcomes
from weft.plan.plan import Plan
from weft.progress.duration import duration

#: So many files, crates or versions a line names.
_NAMED = 3
_COLUMNS = ("point_id", "cpu_s", "git_commit")


@dataclass(frozen=True, slots=True)
class EarlierPoint:
    """What another version left of one point; `cpu_s` is None where no cost was recorded."""

    version: str
    cpu_s: float | None
    commit: str | None


@dataclass(frozen=True, slots=True)
class Upgrade:
    """Points of an engine that its version `now` computes again."""

    engine: str
    now: str
    points: Sequence[EarlierPoint]


def upgrades(plan: Plan, outcomes: Outcomes, results: Path) -> list[Upgrade]:
    """By engine, the open points of `plan` of which another version has left an outcome.

    A point that was only skipped has cost nothing and does not count.
    """
    folder = Results(results).experiment(plan.experiment)
    now: dict[str, str] = {}
    open_points: dict[str, set[str]] = {}
    planned: set[str] = set()
    for shard, places in plan.placed():
        planned.add(shard.shard_id)
        # A damaged shard is computed again for another reason, which is printed already.
        if outcomes(shard) is not None or shard.shard_id in outcomes.damaged:
            continue
        if shard.engine_version != ABSENT:
            begun = _journal(folder.shard(shard.engine, shard.shard_id)).keys()
            ids = {*plan.points.ids_at(places)} - begun
            open_points.setdefault(shard.engine, set()).update(ids)
            now[shard.engine] = shard.engine_version
    return [
        Upgrade(name, now[name], found)
        for name, ids in open_points.items()
        if (found := _earlier(folder, name, ids, planned, now[name]))
    ]


def newest_versions(plan: Plan, folder: ExperimentFolder) -> dict[str, str]:
    """By engine, the newest version of which results are left that the `plan` does not name."""
    planned = {shard.shard_id for shard in plan.shards}
    current = {shard.engine: shard.engine_version for shard in plan.shards}
    ids = set(plan.points.ids.to_pylist())
    found: dict[str, str] = {}
    for name, now in current.items():
        left = (one for one, _ in _newest(folder.shards(name), ids, planned))
        others = (version for one in left if (version := _version(folder, one)))
        version = next((each for each in others if each not in (now, ABSENT)), None)
        if version:
            found[name] = version
    return found


def say_upgrades(found: Iterable[Upgrade]) -> None:
    """Print one line for each engine."""
    engines: dict[str, Upgrade] = {}
    for each in found:
        before = engines.get(each.engine)
        points = [*(before.points if before else ()), *each.points]
        engines[each.engine] = Upgrade(each.engine, each.now, points)
    for each in engines.values():
        print(f"weft: {sentence(each)}", file=sys.stderr)


def sentence(found: Upgrade) -> str:
    """`12 points of packet are computed again (about 3 min of CPU time last time): …`."""
    count = len(found.points)
    points = "1 point" if count == 1 else f"{count:,} points"
    cost = _cost(found.points)
    versions = Counter(each.version for each in found.points)
    # The version that computed most comes first.
    before = _listed([version for version, _ in versions.most_common()])
    verb = "is" if count == 1 else "are"
    again = f"{points} of {found.engine} {verb} computed again"
    text = f"{again}{cost}: {found.engine} {before} → {found.now}"
    sources = _changed(found, versions.most_common(1)[0][0])
    return f"{text}; changed: {_listed(_named(sources))}" if sources else text


def _cost(points: Sequence[EarlierPoint]) -> str:
    known = [each.cpu_s for each in points if each.cpu_s is not None]
    if not known:
        return ""
    unknown = len(points) - len(known)
    least = f"; the cost of {unknown:,} is unknown" if unknown else ""
    return f" (they took {duration(sum(known))} of CPU time last time{least})"


def _changed(found: Upgrade, version: str) -> tuple[str, ...]:
    """The sources that changed since `version`, where the project's own simulators can know."""
    simulator = engine(found.engine)
    if not isinstance(simulator, NativeEngine) or simulator.program != "crate":
        return ()
    commits = Counter(
        each.commit for each in found.points if each.commit and each.version == version
    )
    # Beside experiments elsewhere the simulators are a link into the clone.
    clone = (project() / WORKSPACE).resolve().parent
    try:
        return changed_sources(
            found.engine, clone, version, [commit for commit, _ in commits.most_common()]
        )
    except EngineError:
        return ()


def _named(sources: Sequence[str]) -> list[str]:
    """The files, or their crates where there are many."""
    if len(sources) <= _NAMED:
        return list(sources)
    crates = Counter("/".join(source.split("/")[:2]) for source in sources)
    return [f"{crate} ({n} files)" if n > 1 else crate for crate, n in crates.most_common()]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _earlier(
    folder: ExperimentFolder, name: str, ids: set[str], planned: set[str], now: str
) -> list[EarlierPoint]:
    """What other versions left of these points, of each the newest."""
    found: dict[str, EarlierPoint] = {}
    for left, mine in _newest(folder.shards(name) if ids else [], ids, planned):
        version = _version(folder, left)
        if version is None or version in (now, ABSENT):
            continue
        rows = _rows(left)
        for point_id in mine - found.keys():
            row = rows.get(point_id, {})
            cpu_s, commit = row.get("cpu_s"), row.get("git_commit")
            found[point_id] = EarlierPoint(
                version,
                cpu_s if isinstance(cpu_s, float) else None,
                commit if isinstance(commit, str) else None,
            )
    return list(found.values())


def _newest(
    shards: Iterable[ShardFolder], ids: set[str], planned: set[str]
) -> list[tuple[ShardFolder, set[str]]]:
    """Shards that the plan does not name and that computed some of the points, the newest first."""
    found = []
    for left in shards:
        if left.path.name in planned:
            continue
        try:
            outcome = read_status(left.path)
            last = left.status if outcome else left.journal
            ended_ns = last.stat().st_mtime_ns
        except (DamagedError, OSError):
            continue
        computed = {*outcome.done, *outcome.failed} if outcome else {*_journal(left)}
        if mine := ids & computed:
            found.append((ended_ns, left, mine))
    found.sort(key=lambda each: each[0], reverse=True)
    return [(left, mine) for _, left, mine in found]


def _rows(left: ShardFolder) -> Mapping[str, Mapping[str, object]]:
    """What a shard recorded of its points, by their ids."""
    try:
        table = pq.read_table(left.table("runs"), columns=list(_COLUMNS))
    except (OSError, pa.ArrowException):
        return _journal(left)
    return {row["point_id"]: row for row in table.to_pylist()}


def _journal(left: ShardFolder) -> dict[str, Mapping[str, object]]:
    """The points that a journal has, without those skipped; nothing where it cannot be read."""
    found: dict[str, Mapping[str, object]] = {}
    try:
        lines = left.journal.read_bytes().splitlines()
    except OSError:
        return {}
    for line in lines:
        with suppress(ValueError, KeyError):
            entry = unsealed(line, required=False)
            if entry["status"] != "skipped":
                found[str(entry["point_id"])] = entry
    return found


def _version(folder: ExperimentFolder, left: ShardFolder) -> str | None:
    """The engine's version, which a shard file names; None where that is gone or damaged."""
    try:
        order = unsealed(folder.order(left.path.name).read_bytes(), required=True)
        return str(order["engine_version"])
    except (OSError, ValueError, KeyError):
        return None
