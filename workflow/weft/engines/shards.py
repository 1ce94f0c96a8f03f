"""Shard files: what one job shall compute, and the same with every number filled in."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from weft.engines.base import EngineError
from weft.engines.limits import stated
from weft.engines.registry import declaration
from weft.files import Put, replace_changed, sealed, unsealed
from weft.files.layout import JOURNAL, Results
from weft.plan.model import Plan, Shard, needs_calibration, short_digest
from weft.plan.outcome import OUTCOMES, DamagedError, read_status

SHARD_SCHEMA = 1
CALIBRATED = ("latency_s", "bandwidth_bytes_per_s")
#: In a calibration, and then in a point's network: why there are no link parameters.
PROBLEM = "problem"


def shard_path(results: Path, experiment: str, shard_id: str) -> Path:
    """Where the planner writes the shard file."""
    return Results(results).experiment(experiment).order(shard_id)


def write_shards(
    plan: Plan,
    results: Path,
    attempts: Mapping[str, Mapping[str, int]],
    put: Put = replace_changed,
) -> dict[str, str]:
    """Write the plan's shard files; one that holds the same already is left untouched.

    `attempts` gives per shard the number of the attempt to which failed points have come. A kept
    shard keeps its points even where the plan has dropped some: its name stands for all of them.
    What would replace a file goes where `put` decides; returns those that went elsewhere, by shard.
    """
    elsewhere = {}
    for shard in plan.shards:
        path = shard_path(results, plan.experiment, shard.shard_id)
        old = _written(path)
        content = dict(old) if old else _content(plan, shard)
        content["declared"] = declaration(shard.engine)
        content["attempts"] = {**content["attempts"], **attempts.get(shard.shard_id, {})}
        if content["declared"]["measures"] or content["declared"]["program"] == "external":
            content["machine"] = dict(plan.machine)
        elif limits := stated(plan.machine):
            content["limits"] = limits
        if content != old:
            # A new file harms nobody: its name stands for what is in it.
            placed = (put if old else replace_changed)(path, _text(content))
            if placed != path:
                elsewhere[shard.shard_id] = str(placed)
    return elsewhere


def _text(content: Mapping[str, Any]) -> str:
    return sealed(content)


def _written(path: Path) -> dict[str, Any] | None:
    """What a shard file holds; None for one that is missing or damaged."""
    try:
        return unsealed(path.read_bytes(), required=True)
    except (OSError, ValueError):
        return None


def earlier_shards(
    results: Path, experiment: str, versions: Mapping[str, str]
) -> Callable[[Collection[str]], Iterator[Shard]]:
    """A look-up of shards on the disk, ended or begun, that may hold one of some points.

    Only those whose engine has the version in `versions`. A file that cannot be read counts as
    none.
    """

    def look_up(point_ids: Collection[str]) -> Iterator[Shard]:
        wanted = frozenset(point_ids)
        for engine, version in versions.items():
            for folder in sorted((results / experiment / engine).glob("*/")):
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


def _content(plan: Plan, shard: Shard) -> dict[str, Any]:
    return {
        "schema": SHARD_SCHEMA,
        "engine": shard.engine,
        "engine_version": shard.engine_version,
        "shard": shard.shard_id,
        "attempts": {},
        "points": [{"point_id": p.point_id, **p.spec} for p in plan.points_of(shard)],
    }


def read_shard(path: Path) -> dict[str, Any]:
    """Read a shard file.

    Raises EngineError when it is damaged or of another schema.
    """
    try:
        shard = unsealed(path.read_bytes(), required=False)
    except ValueError as error:
        raise EngineError(f"{path} is damaged ({error}); delete it and run again") from error
    if shard.get("schema") != SHARD_SCHEMA:
        raise EngineError(f"{path} has schema {shard.get('schema')}; delete it and run again")
    return shard


def resolve(shard: Mapping[str, Any], calibration: Mapping[str, Any] | None) -> dict[str, Any]:
    """The shard with calibrated numbers in place and a digest at every point.

    A later attempt at a failed point has a digest of its own, so that its earlier journal line
    does not count.
    """
    points = [_resolved(point, calibration) for point in shard["points"]]
    for point in points:
        attempt = shard["attempts"].get(point["point_id"], 1)
        point["digest"] = digest(point, shard["engine_version"], attempt)
    return {**shard, "points": points}


def digest(point: Mapping[str, Any], engine_version: str, attempt: int) -> str:
    """The digest of a resolved point (with or without `digest`), engine version and attempt."""
    spec = {key: value for key, value in point.items() if key != "digest"}
    parts: dict[str, Any] = {"spec": spec, "engine_version": engine_version}
    return short_digest(parts if attempt == 1 else {**parts, "attempt": attempt})


def _resolved(point: Mapping[str, Any], calibration: Mapping[str, Any] | None) -> dict[str, Any]:
    if not needs_calibration(point):
        return dict(point)
    if calibration is None:
        raise EngineError(f"point {point['point_id']} needs a calibration, and there is none")
    if problem := calibration.get(PROBLEM):
        return {**point, "network": {**point["network"], PROBLEM: problem}}
    network = {k: v for k, v in point["network"].items() if k != "calibrated_from"}
    return {**point, "network": network | {key: calibration[key] for key in CALIBRATED}}
