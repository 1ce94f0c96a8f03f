"""Plans on the disk: `plan.json`, and the points beside it as a Parquet file.

The Parquet file is named after its contents, and `plan.json` names it. So a plan is replaced at one
moment, with all of its points: a kill between the two files leaves the earlier plan, and a reader
never sees the points of one plan with the shards of another.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from weft.files import JsonObject, Put, replace_changed, seal_of, sealed_text, unsealed
from weft.machine import MachineFile
from weft.plan.model import Point, Shard, canonical_json
from weft.plan.outcome import DamagedError
from weft.plan.plan import Plan
from weft.plan.points import Points

#: Plans of schema 2 had no checksum, and those of schema 1 held their points as JSON.
PLAN_SCHEMA, UNSEALED, WITHIN = 3, 2, 1
_POINTS = "points-{}.parquet"
#: What a plan holds as its file does.
_SAME = ("experiment", "title", "question", "overrides")
#: A table's whole numbers have 64 bits.
MOST_INTEGER = 2**63 - 1
_LONG_NUMBER = re.compile(r"[:,\[] ?-?(\d{19,})[,}\]]")


def write_plan(plan: Plan, path: Path, put: Put = replace_changed) -> Path:
    """Write `plan` atomically; an unchanged plan leaves its files untouched.

    Returns where it is, which `put` decides. Points of earlier plans stay beside it until
    `remove_old_points`.
    """
    points = _parquet(plan.points)
    digest = sha256(points).hexdigest()
    return put(path, _head_text(plan, digest), {_points_name(digest): points})


def remove_old_points(path: Path) -> None:
    """Remove the points of earlier plans beside the plan in `path`."""
    current = points_file(path).name
    for old in path.parent.glob(_POINTS.format("*")):
        if old.name != current:
            old.unlink(missing_ok=True)


def altered_points(path: Path) -> list[Path]:
    """The points beside the plan in `path` that are not what was written, by their names, which
    begin with their digest; the plan itself may be damaged."""
    return [
        file
        for file in sorted(path.parent.glob(_POINTS.format("*")))
        if file.name != _points_name(sha256(file.read_bytes()).hexdigest())
    ]


def read_plan(path: Path) -> Plan:
    """Read a plan written by `write_plan`, or by an earlier weft.

    Raises DamagedError when the file or its points are missing or not what was written, and
    ValueError when it is of another schema, and when it holds a number that no table holds: an
    earlier weft let such numbers through.
    """
    text = path.read_text("utf-8", "replace")
    raw = _head(path, text)
    if raw["schema"] == WITHIN:
        return _plan(raw, _points_within(raw, text, path))
    file = path.with_name(_points_name(raw["points"]["sha256"]))
    try:
        content = _content(file)
    except FileNotFoundError as error:
        if path.read_text("utf-8", "replace") != text:
            # Another process has replaced the plan since.
            return read_plan(path)
        raise DamagedError(f"{file} is missing", _remedy(path)) from error
    if sha256(content).hexdigest() != raw["points"]["sha256"]:
        raise DamagedError(f"{file} was altered after it was written", _remedy(path))
    return _plan(raw, Points(pq.ParquetFile(pa.BufferReader(content)).read()))


def _head(path: Path, text: str) -> JsonObject:
    """What `plan.json` holds, by its text."""
    line = text.encode().rstrip(b"\n")
    try:
        raw = unsealed(line, required=False)
        sealed = seal_of(line) is not None
        if raw.get("schema") not in (PLAN_SCHEMA, UNSEALED, WITHIN):
            raise ValueError(f"it has the plan schema {raw.get('schema')}, and not {PLAN_SCHEMA}")
        if raw["schema"] == PLAN_SCHEMA and not sealed:
            raise ValueError("it has no checksum")
    except ValueError as error:
        raise DamagedError(f"{path} is not as weft writes it ({error})", _remedy(path)) from error
    return raw


def _content(file: Path) -> pa.Buffer:
    """The file's content in memory of Arrow's own.

    Arrow's threads may let go of it after `read_table` has returned. Python's memory needs Python's
    lock for that, and a thread that asks for the lock while Python ends aborts the process.
    """
    with pa.OSFile(str(file)) as opened:
        return opened.read_buffer()


def _remedy(path: Path) -> str:
    return f"`snakemake reports/{path.parent.name}.html` writes it again without computing anything"


def _plan(raw: JsonObject, points: Points) -> Plan:
    shards = tuple(
        Shard(**{**shard, "point_ids": tuple(shard["point_ids"])}) for shard in raw["shards"]
    )
    return Plan(
        experiment=raw["experiment"],
        title=raw["title"],
        question=raw["question"],
        points=points,
        shards=shards,
        machine=MachineFile.read(raw["machine"]),
        stored_report=raw["report"],
        overrides=tuple(raw["overrides"]),
    )


def _points_within(raw: JsonObject, text: str, path: Path) -> Points:
    for number in _LONG_NUMBER.findall(text):
        if int(number) > MOST_INTEGER:
            raise ValueError(f"{path} holds the number {number}, which is in no table; delete it")
    return Points.of(Point(**point) for point in raw["points"])


def _head_text(plan: Plan, digest: str) -> str:
    """Sealed JSON with a line for each key and shard: quick to write, and readable in a diff."""
    shards = [canonical_json(_fields(shard)) for shard in plan.shards]
    head = {name: getattr(plan, name) for name in _SAME}
    head |= {"machine": plan.machine.plain(), "report": plan.stored_report}
    lines = {name: canonical_json(value) for name, value in head.items()}
    lines["points"] = canonical_json({"count": len(plan.points), "sha256": digest})
    lines["shards"] = "[\n  " + ",\n  ".join(shards) + "\n ]"
    lines["schema"] = str(PLAN_SCHEMA)
    text = "{\n" + ",\n".join(f' "{name}": {lines[name]}' for name in sorted(lines)) + "\n}"
    return sealed_text(text) + "\n"


def _fields(shard: Shard) -> dict[str, object]:
    # Not `asdict`: it copies every id.
    names = ("shard_id", "engine", "engine_version", "point_ids")
    return {name: getattr(shard, name) for name in names}


def points_file(path: Path) -> Path:
    """The points of the plan in `path`; the plan itself where it holds them."""
    raw = _head(path, path.read_text("utf-8", "replace"))
    return (
        path if raw["schema"] == WITHIN else path.with_name(_points_name(raw["points"]["sha256"]))
    )


def _points_name(digest: str) -> str:
    return _POINTS.format(digest[:12])


def _parquet(points: Points) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(points.table, sink, compression="zstd", write_page_checksum=True)
    content: bytes = sink.getvalue().to_pybytes()
    return content
