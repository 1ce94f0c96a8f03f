"""The `sweep` section: axes, conditions and exclusions, and the assignments they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, TypeVar

from weft.config.language.condition import Condition, equal, parse_condition
from weft.config.language.errors import Problem
from weft.config.language.quantities import spread

#: Gives the value of a key that the assignment itself does not hold.
Fallback = Callable[[Mapping[str, object], str], object]
T = TypeVar("T")
_SWEPT_GROUPS = ("topology", "network", "workload")
#: The group whose values may be whole sections, because its kinds have the names of their files.
_WHOLE = "topology"


@dataclass(frozen=True, slots=True)
class Axis:
    """Keys that vary together: each row has one value for each key."""

    keys: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    when: Condition | None = None
    #: Whether null in a row may mean that the row does not set the key.
    zipped: bool = False

    @property
    def is_partial(self) -> bool:
        """Whether some points may not have these keys."""
        return self.when is not None or any(key.startswith("engine.") for key in self.keys)

    def serves(self, engine: str) -> bool:
        """Whether this axis multiplies the points of `engine`."""
        return all(serves(key, engine) for key in self.keys)


@dataclass(frozen=True, slots=True)
class Sweep:
    """What varies: the product of the axes, less what is excluded."""

    axes: tuple[Axis, ...] = ()
    excluded: tuple[Mapping[str, tuple[object, ...]], ...] = ()

    def swept_keys(self) -> list[str]:
        """All swept keys, in order."""
        return [key for axis in self.axes for key in axis.keys]

    def groups(self, conditional: bool = False) -> list[str]:
        """Swept groups, whose values are names of group files; perhaps only those that some points
        leave unswept."""
        axes = [axis for axis in self.axes if axis.is_partial or not conditional]
        return [key for axis in axes for key in axis.keys if key in _SWEPT_GROUPS]

    def optional_keys(self) -> frozenset[str]:
        """Keys that a row may leave unset."""
        return frozenset(key for axis in self.axes if axis.zipped for key in axis.keys)

    def group_rows(self) -> list[dict[str, str]]:
        """Every combination of swept groups that the axes can form."""
        found: list[dict[str, str]] = [{}]
        for axis in self.axes:
            places = [i for i, key in enumerate(axis.keys) if key in _SWEPT_GROUPS]
            rows = dict.fromkeys(tuple(row[i] for i in places) for row in axis.rows)
            names = [axis.keys[i] for i in places]
            if places:
                found = [{**a, **dict(zip(names, row, strict=True))} for a in found for row in rows]
        return found

    def without(self, dropped: frozenset[str]) -> Sweep:
        """The sweep with these keys taken out of it."""
        axes = (_narrowed(axis, dropped) for axis in self.axes)
        return replace(self, axes=tuple(axis for axis in axes if axis.keys))

    def first(self) -> dict[str, object]:
        """The first value of every swept key."""
        return {k: v for axis in self.axes for k, v in zip(axis.keys, axis.rows[0], strict=True)}

    def assignments(self, engine: str, fallback: Fallback) -> Iterator[dict[str, object]]:
        """Swept keys with their values, point by point, for one engine."""
        for assignment in self.formed(engine, fallback):
            if not self.excludes(assignment, engine, fallback):
                yield assignment

    def formed(self, engine: str, fallback: Fallback) -> Iterator[dict[str, object]]:
        """The same before anything is excluded."""
        axes = [axis for axis in self.axes if axis.serves(engine)]
        plain = [axis for axis in axes if axis.when is None]
        conditional = [axis for axis in axes if axis.when is not None]
        for rows in product(*(axis.rows for axis in plain)):
            start: dict[str, object] = {}
            for axis, row in zip(plain, rows, strict=True):
                start.update(zip(axis.keys, row, strict=True))
            yield from _extended(start, conditional, engine, fallback)

    def excludes(self, assignment: Mapping[str, object], engine: str, fallback: Fallback) -> bool:
        """Whether an entry of `exclude` matches; one about another engine's option does not."""
        return any(matches(rule, assignment, engine, fallback) for rule in self.excluded)


def matches(
    rule: Mapping[str, tuple[object, ...]],
    assignment: Mapping[str, object],
    engine: str,
    fallback: Fallback,
) -> bool:
    """Whether every key of an entry of `exclude` has one of its values."""
    for key, values in rule.items():
        if not serves(key, engine):
            return False
        value = value_of(key, assignment, engine, fallback)
        if not any(equal(value, each) for each in values):
            return False
    return True


def serves(key: str, engine: str) -> bool:
    """Whether a key is none of another engine's options."""
    return not key.startswith("engine.") or key.split(".")[1] == engine


def _narrowed(axis: Axis, dropped: frozenset[str]) -> Axis:
    kept = [i for i, key in enumerate(axis.keys) if key not in dropped]
    if len(kept) == len(axis.keys):
        return axis
    rows = [tuple(row[i] for i in kept) for row in axis.rows]
    # By text, because a value may be a list; what is left of a zip may repeat itself.
    distinct = {repr(row): row for row in rows}
    return replace(axis, keys=tuple(axis.keys[i] for i in kept), rows=tuple(distinct.values()))


def value_of(key: str, assignment: Mapping[str, object], engine: str, fallback: Fallback) -> object:
    """The value that a key has in a point of `engine`."""
    if key == "engine":
        return engine
    return assignment[key] if key in assignment else fallback(assignment, key)


def _extended(
    start: dict[str, object], axes: list[Axis], engine: str, fallback: Fallback
) -> Iterator[dict[str, object]]:
    if not axes:
        yield start
        return
    axis, rest = axes[0], axes[1:]
    met = axis.when is None or axis.when.holds(lambda key: value_of(key, start, engine, fallback))
    for row in axis.rows if met else ((),):
        chosen = dict(zip(axis.keys, row, strict=False))
        yield from _extended({**start, **chosen}, rest, engine, fallback)


def parse_sweep(raw: Mapping[str, object]) -> tuple[Sweep, list[Problem]]:
    """The sweep that the section says, and what is wrong with it."""
    problems: list[Problem] = []
    axes: list[Axis] = []
    zipped, excluded = raw.get("zip", []), raw.get("exclude", [])
    for key, value in flattened({k: v for k, v in raw.items() if k not in ("zip", "exclude")}):
        axes += _attempt(problems, f"sweep.{key}", partial(_axis, key, value))
    for place, block in _entries(zipped, "sweep.zip", problems):
        axes += _attempt(problems, place, partial(_zipped, block))
    rules: list[Mapping[str, tuple[object, ...]]] = []
    for place, block in _entries(excluded, "sweep.exclude", problems):
        rules += _attempt(problems, place, partial(_rule, block))
    keys = [key for axis in axes for key in axis.keys]
    for key in sorted({key for key in keys if keys.count(key) > 1}):
        problems.append(Problem(f"sweep.{key}", "this key is swept twice"))
    return Sweep(tuple(axes), tuple(rules)), problems


def flattened(raw: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Dotted keys with their values; `topology: {k: [2]}` is the same as `topology.k: [2]`."""
    for key, value in raw.items():
        if isinstance(value, Mapping) and not {"from", "to", "values", "when"} & set(value):
            yield from flattened(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _attempt(problems: list[Problem], key: str, step: Callable[[], T]) -> list[T]:
    try:
        return [step()]
    except ValueError as error:
        problems.append(Problem(key, str(error)))
        return []


def _entries(
    raw: object, key: str, problems: list[Problem]
) -> Iterator[tuple[str, Mapping[str, object]]]:
    if not isinstance(raw, list):
        problems.append(Problem(key, "expected a list of sections, like [{topology.k: [2, 4]}]"))
        return
    for i, block in enumerate(raw):
        if isinstance(block, Mapping) and block:
            yield f"{key}[{i}]", dict(flattened(block))
        else:
            problems.append(Problem(f"{key}[{i}]", "expected a section, like {topology.k: [2, 4]}"))


def _values(raw: object) -> list[object]:
    if isinstance(raw, Mapping):
        return spread(raw)
    if not isinstance(raw, list):
        raise ValueError(f"expected a list of values or {{from, to, step|factor}}, got {raw!r}")
    if not raw:
        raise ValueError("the sweep is empty: give at least one value")
    seen = [repr(value) for value in raw]
    doubled = [text for text in seen if seen.count(text) > 1] if len(seen) < 1000 else []
    if doubled:
        raise ValueError(f"{doubled[0]} is listed twice")
    return raw


def _axis(key: str, raw: object) -> Axis:
    when = None
    if isinstance(raw, Mapping) and "values" in raw:
        if set(raw) - {"values", "when"}:
            raise ValueError("a conditional sweep has the keys when and values")
        when = parse_condition(raw["when"]) if "when" in raw else None
        raw = raw["values"]
    values = _values(raw)
    if key in _SWEPT_GROUPS and any(isinstance(value, Mapping) for value in values):
        return replace(_whole_sections(key, values), when=when)
    return Axis((key,), tuple((value,) for value in values), when)


def _whole_sections(group: str, values: Sequence[object]) -> Axis:
    """`[mesh, {kind: torus, k: 4}]`: kinds with keys of their own, which vary together."""
    if group != _WHOLE:
        raise ValueError(
            f"expected names of files in configs/{group}; only a {_WHOLE} may be whole; keys of a "
            f"{group} vary together as {_as_zip(group, values)}"
        )
    rows: list[dict[str, object]] = []
    for value in values:
        own = dict(value) if isinstance(value, Mapping) else {"kind": value}
        kind = own.pop("kind", None)
        if not isinstance(kind, str):
            raise ValueError("a whole topology needs its kind: {kind: torus, k: 4}")
        rows.append({group: kind, **dict(flattened(own, f"{group}."))})
    keys = tuple(dict.fromkeys(key for row in rows for key in row))
    return Axis(keys, tuple(tuple(row.get(key) for key in keys) for row in rows), zipped=True)


def _as_zip(group: str, values: Sequence[object]) -> str:
    """`zip: [{network.bandwidth: [1 GB/s, 2 GB/s]}]` for whole sections, a name for each kind."""
    rows: list[dict[str, object]] = []
    for value in values:
        own = dict(value) if isinstance(value, Mapping) else {"kind": value}
        chosen = {group: own.pop("kind")} if "kind" in own else {}
        rows.append({**chosen, **dict(flattened(own, f"{group}."))})
    columns = []
    for key in dict.fromkeys(key for row in rows for key in row):
        written = ("null" if row.get(key) is None else str(row[key]) for row in rows)
        columns.append(f"{key}: [{', '.join(written)}]")
    return f"zip: [{{{', '.join(columns)}}}]"


def _zipped(block: Mapping[str, Any]) -> Axis:
    # A zipped list may repeat a value: what counts is the row.
    columns = {k: spread(v) if isinstance(v, Mapping) else v for k, v in block.items()}
    if not all(isinstance(column, list) and column for column in columns.values()):
        raise ValueError("every zipped key needs a list with at least one value")
    lengths = {key: len(column) for key, column in columns.items()}
    if len(set(lengths.values())) > 1:
        lengths_by_key = ", ".join(f"{key} has {length}" for key, length in lengths.items())
        raise ValueError(f"zipped lists must be equally long: {lengths_by_key}")
    if group := next((k for k in _SWEPT_GROUPS if None in columns.get(k, ())), None):
        raise ValueError(f"every row needs a {group}: null leaves out a key, not a group")
    return Axis(tuple(columns), tuple(zip(*columns.values(), strict=True)), zipped=True)


def _rule(block: Mapping[str, object]) -> Mapping[str, tuple[object, ...]]:
    matches = {k: spread(v) if isinstance(v, Mapping) else v for k, v in block.items()}
    return {k: tuple(v) if isinstance(v, list) else (v,) for k, v in matches.items()}
