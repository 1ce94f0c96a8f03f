"""Shard files: what one job shall compute, and the same with every number filled in."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, cast

from weft.engines.base import EngineError
from weft.engines.limits import stated
from weft.engines.measured_nodes import MeasuredPoint, placed
from weft.engines.order import (
    HeadT,
    OrderHead,
    PlannedPoint,
    ResolvedOrder,
    ResolvedPoint,
    ShardOrder,
)
from weft.engines.registry import declaration
from weft.files import Put, holds, replace_changed, sealed, sealed_text, unsealed
from weft.files.layout import JOURNAL, Results
from weft.plan.identity import without_folders
from weft.plan.model import PARTS, Shard, needs_calibration, needs_placement, short_digest
from weft.plan.outcome import OUTCOMES, DamagedError, read_status
from weft.plan.plan import Plan
from weft.plan.spec import Calibration, NetworkSpec

if TYPE_CHECKING:
    from weft.machine import MachineFile
    from weft.plan.points import Points

SHARD_SCHEMA = 1


def shard_path(results: Path, experiment: str, shard_id: str) -> Path:
    """Where the planner writes the shard file."""
    return Results(results).experiment(experiment).order(shard_id)


def write_shards(
    plan: Plan,
    results: Path,
    attempts: Mapping[str, Mapping[str, int]],
    put: Put = replace_changed,
    refused: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Write the plan's shard files; one that holds the same already is left untouched.

    `attempts` gives per shard the number of the attempt to which failed points have come, `refused`
    per point why no job of the machine can measure it. A kept
    shard keeps its points even where the plan has dropped some: its name stands for all of them.
    What would replace a file goes where `put` decides; returns those that went elsewhere, by shard.
    """
    elsewhere, refused = {}, refused or {}
    for shard, places in plan.placed():
        path = shard_path(results, plan.experiment, shard.shard_id)
        again = attempts.get(shard.shard_id, {})
        wide = {each: refused[each] for each in shard.point_ids if each in refused}
        head = _refusing(completed(_head(shard), plan.machine, again), wide)
        _draw_order(head, plan)
        text = _text(head, plan.points.take(places))
        # Parsing takes several times as long as writing the same once more.
        if len(places) == len(shard.point_ids) and holds(path, text.encode()):
            continue
        if old := _written(path, plan.experiment):
            content = _refusing(completed(old, plan.machine, again), wide)
            _draw_order(content, plan)
            left = Results(results).experiment(plan.experiment).shard(shard.engine, shard.shard_id)
            if not left.status.exists():
                content["points"] = _as_planned(old["points"], plan.points.take(places))
            placed = put(path, sealed(content)) if content != old else path
        else:
            # A new file does no harm: its name follows from its content.
            placed = replace_changed(path, text)
        if placed != path:
            elsewhere[shard.shard_id] = str(placed)
    return elsewhere


def _as_planned(written: Sequence[PlannedPoint], points: Points) -> list[PlannedPoint]:
    """The points of a shard file; the files of those that are planned lie where the plan says."""
    planned = {each.point_id: {"point_id": each.point_id, **each.spec} for each in points}
    return [cast("PlannedPoint", planned.get(each["point_id"], each)) for each in written]


def completed(content: HeadT, machine: MachineFile, again: Mapping[str, int]) -> HeadT:
    """A shard file with what jobs have to know today, and the numbers of attempts `again`."""
    declared = declaration(content["engine"])
    found = copy(content)
    found["declared"] = declared
    found["attempts"] = {**content["attempts"], **again}
    if declared["measures"] or declared["program"] == "external":
        found["machine"] = machine.plain()
    elif limits := stated(machine):
        found["limits"] = limits
    return found


def _refusing(content: HeadT, refused: Mapping[str, str]) -> HeadT:
    """A shard file with the points that no job can measure."""
    found = copy(content)
    if refused:
        found["refused"] = refused
    elif "refused" in found:
        del found["refused"]
    return found


def _draw_order(content: OrderHead, plan: Plan) -> None:
    """Give a shard that is measured in one allocation the experiment's seed: its smallest."""
    if plan.machine.allocates and content.get("declared", {}).get("measures"):
        content["order_seed"] = min(plan.points.column("seed").unique().to_pylist())
    elif "order_seed" in content:
        del content["order_seed"]


def _text(head: Mapping[str, object], points: Points) -> str:
    """A sealed shard file, put together from the texts of its points' parts."""
    lines = {name: json.dumps(value, sort_keys=True) for name, value in head.items()}
    lines["points"] = f"[{', '.join(point_texts(points))}]"
    return sealed_text("{" + ", ".join(f'"{name}": {lines[name]}' for name in sorted(lines)) + "}")


def point_texts(points: Points) -> Iterator[str]:
    """Each point's id and spec as canonical JSON."""
    texts = {name: points.shared(name) for name in PARTS}
    texts["engine"] = [f'"{name}"' for name in points.shared("engine")]
    known = {name: [f'"{name}":{each}' if each else "" for each in texts[name]] for name in texts}
    known["point_id"] = [f'"point_id":"{each}"' for each in points.ids.to_pylist()]
    known["seed"] = [f'"seed":{each}' for each in points.column("seed").to_pylist()]
    for row in zip(*(known[name] for name in sorted(known)), strict=True):
        yield f"{{{','.join(filter(None, row))}}}"


def _written(path: Path, experiment: str) -> ShardOrder | None:
    """What a shard file holds; None for one that is missing, or damaged, which is said."""
    try:
        return cast("ShardOrder", unsealed(path.read_bytes(), required=True))
    except OSError:
        return None
    except ValueError as error:
        said = f"weft: {experiment}: {path} is damaged ({error}): it is written again"
        print(said, file=sys.stderr)
        return None


def earlier_shards(
    results: Path, experiment: str, versions: Mapping[str, str]
) -> Callable[[Points], Iterator[Shard]]:
    """A look-up of shards on the disk, ended or begun, that may hold one of some points.

    Only those whose engine has the version in `versions`. A file that cannot be read counts as
    none.
    """

    def look_up(points: Points) -> Iterator[Shard]:
        mine = Results(results).experiment(experiment)
        folders = {name: [left.path for left in mine.shards(name)] for name in versions}
        wanted = frozenset(points.ids.to_pylist() if any(folders.values()) else ())
        for engine, version in versions.items():
            for folder in folders[engine]:
                if _ran(folder, wanted):
                    path = shard_path(results, experiment, folder.name)
                    shard = _recorded(path, engine, version)
                    if shard is not None:
                        yield shard

    return look_up


def _ran(folder: Path, wanted: frozenset[str]) -> bool:
    """Whether a shard ended with one of the points, or has begun and not ended."""
    try:
        outcome = read_status(folder)
    except DamagedError:
        outcome = None
    if outcome is None:
        return (folder / JOURNAL).exists()
    return any(not wanted.isdisjoint(getattr(outcome, name)) for name in OUTCOMES)


def _recorded(path: Path, engine: str, version: str) -> Shard | None:
    try:
        text = path.read_bytes()
        # This excludes most files of other versions without parsing thousands of points.
        if json.dumps({"engine_version": version})[1:-1].encode() not in text:
            return None
        content = unsealed(text, required=True)
        if (content["schema"], content["engine"], content["engine_version"]) != (
            SHARD_SCHEMA, engine, version,
        ):  # fmt: skip
            return None
        ids = tuple(str(point["point_id"]) for point in content["points"])
        return Shard(path.stem, engine, version, ids)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _head(shard: Shard) -> OrderHead:
    """A new shard file, its points left out."""
    return {
        "schema": SHARD_SCHEMA,
        "engine": shard.engine,
        "engine_version": shard.engine_version,
        "shard": shard.shard_id,
        "attempts": {},
    }


def read_shard(path: Path) -> ShardOrder:
    """Read a shard file.

    Raises EngineError when it is damaged or of another schema.
    """
    try:
        shard = unsealed(path.read_bytes(), required=False)
    except ValueError as error:
        raise EngineError(f"{path} is damaged ({error}); delete it and run again") from error
    if shard.get("schema") != SHARD_SCHEMA:
        raise EngineError(f"{path} has schema {shard.get('schema')}; delete it and run again")
    return cast("ShardOrder", shard)


def resolve(
    shard: ShardOrder,
    calibration: Calibration | None,
    measured: Sequence[MeasuredPoint] | None = None,
) -> ResolvedOrder:
    """The shard with calibrated numbers and `measured` nodes in place, and a digest at every point.

    A later attempt at a failed point has a digest of its own, so that its earlier journal line
    does not count.
    """
    return {
        **shard,
        "points": [_resolved(each, shard, calibration, measured) for each in shard["points"]],
    }


def _resolved(
    point: PlannedPoint,
    shard: ShardOrder,
    calibration: Calibration | None,
    measured: Sequence[MeasuredPoint] | None,
) -> ResolvedPoint:
    attempt = shard["attempts"].get(point["point_id"], 1)
    network = _network(point, shard, calibration)
    found = cast("ResolvedPoint", {**point, "network": network, "digest": ""})
    if needs_placement(point["options"]):
        found["options"], found["placement"] = placed(point, measured)
    if reason := shard.get("refused", {}).get(point["point_id"]):
        found["refused"] = reason
    found["digest"] = digest(found, shard["engine_version"], attempt)
    return found


def _network(
    point: PlannedPoint, shard: ShardOrder, calibration: Calibration | None
) -> NetworkSpec:
    """The point's link parameters; those to be fitted from the calibration, or its problem."""
    if not needs_calibration(point["network"]):
        return point["network"]
    if calibration is None:
        raise EngineError(f"point {point['point_id']} needs a calibration, and there is none")
    network = point["network"].copy()
    if "problem" in calibration:
        network["problem"] = calibration["problem"]
        return network
    del network["calibrated_from"]
    network["latency_s"] = calibration["latency_s"]
    network["bandwidth_bytes_per_s"] = calibration["bandwidth_bytes_per_s"]
    facts = shard.get("declared", {})
    takes_costs = facts.get("network_costs", False) in (True, point["workload"]["kind"])
    if takes_costs and "costs" in calibration:
        network["costs"] = calibration["costs"]
    return network


def digest(point: Mapping[str, object], engine_version: str, attempt: int) -> str:
    """The digest of a resolved point (with or without `digest`), engine version and attempt."""
    spec = {key: value for key, value in point.items() if key != "digest"}
    parts: dict[str, object] = {"spec": without_folders(spec), "engine_version": engine_version}
    return short_digest(parts if attempt == 1 else {**parts, "attempt": attempt})
