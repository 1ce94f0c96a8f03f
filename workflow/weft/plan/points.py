"""The points of a plan as columns, which a million of them fit into."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import cast, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from weft.plan.columns import COORDINATE, Codes, point_table
from weft.plan.model import PARTS, Point, Shard, canonical_json, needs_calibration, needs_placement
from weft.plan.spec import PointSpec

#: Points that are built at a time, and parsed parts that are kept to be shared.
BLOCK, MOST_PARSED = 4096, 65_536
#: What a 64-bit integer holds.
_MOST_KEY = 2**62


class Points(Sequence[Point]):
    """A sequence of points; a `Point` is built on request.

    `table` has a row for each point, in the plan's order, and these columns:

    - `point_id` (text), `replicate` and `seed` (64-bit integers);
    - `engine` (dictionary of texts);
    - `topology`, `network`, `workload`, `options`: the parts of the spec, each a dictionary of
      canonical JSON texts (`canonical_json`), so that equal parts are held once; null where a spec
      lacks the part;
    - `coordinates.<key>` for every swept key, in the order of the keys: a dictionary of the values'
      canonical JSON; null where a point does not look at the key.

    Every column is one chunk. Points that are built share the parsed values of their parts, which
    nobody may change.
    """

    def __init__(self, table: pa.Table) -> None:
        self.table = table.unify_dictionaries().combine_chunks()
        self._parsed: dict[tuple[str, int], tuple[object]] = {}

    @classmethod
    def of(cls, points: Iterable[Point]) -> Points:
        """These points, in this order.

        Raises ValueError for a spec that is not made of an engine, a seed and the parts.
        """
        return _from_points(points)

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @overload
    def __getitem__(self, index: int) -> Point: ...
    @overload
    def __getitem__(self, index: slice) -> Points: ...
    def __getitem__(self, index: int | slice) -> Point | Points:
        if isinstance(index, slice):
            return self.take(np.arange(len(self))[index])
        place = range(len(self))[index]
        return next(self._built(self.table.slice(place, 1)))

    def __iter__(self) -> Iterator[Point]:
        for start in range(0, len(self), BLOCK):
            yield from self._built(self.table.slice(start, BLOCK))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Points):
            return NotImplemented
        names = self.table.column_names
        return names == other.table.column_names and all(
            _plain(self.column(name)).equals(_plain(other.column(name))) for name in names
        )

    __hash__ = None  # type: ignore[assignment]

    def take(self, places: npt.NDArray[np.integer | np.bool_]) -> Points:
        """The points at these places, or where a mask is true."""
        if places.dtype == np.bool_:
            places = np.flatnonzero(places)
        return Points(self.table.take(pa.array(places)))

    def column(self, name: str) -> pa.Array:
        """One column of `table` as a single array."""
        chunks = self.table.column(name)
        return chunks.chunk(0) if chunks.num_chunks else chunks.combine_chunks()

    @property
    def ids(self) -> pa.Array:
        """The ids as an Arrow array of texts."""
        return self.column("point_id")

    @property
    def keys(self) -> list[str]:
        """The swept keys, in order."""
        names = self.table.column_names
        return [name.removeprefix(COORDINATE) for name in names if name.startswith(COORDINATE)]

    def texts(self, name: str) -> list[str]:
        """The distinct texts of a dictionary column; `codes` are places in this list."""
        found: list[str] = self.column(name).dictionary.to_pylist()
        return found

    def shared(self, name: str) -> list[str | None]:
        """Each point's text in a dictionary column; equal ones are one object."""
        column = self.column(name)
        codes, like = np.unique(self.codes(name), return_inverse=True)
        known = column.dictionary.take(pa.array(codes[codes >= 0])).to_pylist()
        texts = [None] * int((codes < 0).sum()) + known
        return [texts[i] for i in like.tolist()]

    def codes(self, name: str) -> npt.NDArray[np.int32]:
        """For each point the place of its text in `texts`; -1 where it has none."""
        indices = self.column(name).indices
        found: npt.NDArray[np.int32] = pc.fill_null(indices, -1).to_numpy(zero_copy_only=False)
        return found

    def number(self, name: str, text: str) -> int:
        """The code of `text` in a dictionary column; one that no point has where it is unknown."""
        texts = self.texts(name)
        return texts.index(text) if text in texts else len(texts)

    def ids_at(self, places: npt.NDArray[np.int64]) -> list[str]:
        """The ids at these places."""
        found: list[str] = self.ids.take(pa.array(places)).to_pylist()
        return found

    @property
    def engines(self) -> list[str]:
        """The engines, in the order in which they first appear."""
        found: list[str] = pc.unique(self.column("engine")).to_pylist()
        return found

    def places(self, point_ids: Sequence[str] | pa.Array) -> npt.NDArray[np.int64]:
        """The position of each of `point_ids`; -1 for an id that is not among these points."""
        if not len(point_ids):
            return np.empty(0, np.int64)  # Else Arrow would hash every id for nothing.
        asked = point_ids if isinstance(point_ids, pa.Array) else pa.array(point_ids, pa.string())
        found = pc.fill_null(pc.index_in(asked, value_set=self.ids), -1)
        return np.asarray(found.to_numpy(zero_copy_only=False), np.int64)

    def of_shards(self, shards: Sequence[Shard]) -> Iterator[tuple[Shard, npt.NDArray[np.int64]]]:
        """Every shard with the places of its points, in its order; ids of others are left out."""
        if not shards:
            return
        found = self.places([each for shard in shards for each in shard.point_ids])
        start = 0
        for shard in shards:
            places = found[start : start + len(shard.point_ids)]
            start += len(shard.point_ids)
            yield shard, places[places >= 0]

    def distinct(self) -> tuple[Points, npt.NDArray[np.int64]]:
        """One point of each spec, seeds aside, and for every point the place of its like."""
        first, like = self._alike(("engine", *PARTS))
        return self.take(first), like

    def settings(self) -> tuple[Points, npt.NDArray[np.int64]]:
        """One point of each spec and coordinates, seeds aside, in the order in which they first
        appear, and for every point the place of its like."""
        first, like = self._alike(("engine", *PARTS, *(COORDINATE + key for key in self.keys)))
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return self.take(first[order]), rank[like]

    def _alike(self, names: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Where each combination of texts in these columns comes first, and for every point which
        of them it has."""
        key = np.zeros(len(self), np.int64)
        for name in names:
            codes = self.codes(name)
            if key.max(initial=0) * (codes.max(initial=0) + 2) > _MOST_KEY:
                key = np.unique(key, return_inverse=True)[1]
            key = key * (codes.max(initial=0) + 2) + codes + 1
        _, first, like = np.unique(key, return_index=True, return_inverse=True)
        return first, like

    @cached_property
    def digest(self) -> str:
        """The same for the same ids, replicates and coordinates in the same order."""
        found = sha256(json.dumps([len(self), self.keys]).encode())
        found.update(self.ids.cast(pa.large_string()).buffers()[2] or b"")
        found.update(self.column("replicate").to_numpy().tobytes())
        for key in self.keys:
            found.update(json.dumps(self.texts(COORDINATE + key)).encode())
            found.update(self.codes(COORDINATE + key).tobytes())
        return found.hexdigest()[:12]

    def _built(self, rows: pa.Table) -> Iterator[Point]:
        """The points of a slice of the table."""
        plain = (rows.column(name).to_pylist() for name in ("point_id", "replicate", "seed"))
        engines = rows.column("engine").to_pylist()
        parts = [(name, self._values(rows, name)) for name in PARTS]
        swept = [(key, self._values(rows, COORDINATE + key)) for key in self.keys]
        for row, (point_id, replicate, seed) in enumerate(zip(*plain, strict=True)):
            spec: dict[str, object] = {"engine": engines[row]}
            spec |= {name: values[row][0] for name, values in parts if values[row]}
            spec["seed"] = seed
            coordinates = {key: values[row][0] for key, values in swept if values[row]}
            yield Point(
                point_id, engines[row], replicate, seed, cast("PointSpec", spec), coordinates
            )

    def _values(self, rows: pa.Table, name: str) -> list[tuple[object, ...]]:
        """The parsed value of each row in a tuple; an empty tuple where there is none."""
        array = rows.column(name)
        if not array.num_chunks:
            return []
        codes = array.chunk(0).indices.to_pylist()
        known = {code: self._value(name, code) for code in dict.fromkeys(codes)}
        return [known[code] for code in codes]

    def _value(self, name: str, code: int | None) -> tuple[object, ...]:
        if code is None:
            return ()
        if (name, code) not in self._parsed:
            if len(self._parsed) >= MOST_PARSED:
                self._parsed.clear()
            text = self.column(name).dictionary[code].as_py()
            self._parsed[name, code] = (json.loads(text),)
        return self._parsed[name, code]


def calibrated(points: Points) -> npt.NDArray[np.bool_]:
    """Which points have link parameters that are to be fitted from a measurement."""
    waiting = [needs_calibration(json.loads(text)) for text in points.texts("network")]
    return _each(points, "network", waiting)


def placed_as_measured(points: Points) -> npt.NDArray[np.bool_]:
    """Which points have ranks where those of a measurement ran."""
    waiting = [needs_placement(json.loads(text)) for text in points.texts("options")]
    return _each(points, "options", waiting)


def ranks_of(points: Points) -> npt.NDArray[np.int64]:
    """How many ranks the workload of each point has; 1 where that is no program."""
    ranks = [int(json.loads(text).get("ranks") or 1) for text in points.texts("workload")]
    found: npt.NDArray[np.int64] = np.array([*ranks, 1])[points.codes("workload")]
    return found


def _each(points: Points, part: str, waiting: Sequence[bool]) -> npt.NDArray[np.bool_]:
    """For each point what holds of its text of a part."""
    found: npt.NDArray[np.bool_] = np.array([*waiting, False])[points.codes(part)]
    return found


def _plain(array: pa.Array) -> pa.Array:
    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _from_points(points: Iterable[Point]) -> Points:
    points = list(points)
    plain: dict[str, list[object]] = {"point_id": [], "replicate": [], "seed": []}
    keys = sorted({key for point in points for key in point.coordinates})
    coded = {name: Codes() for name in ("engine", *PARTS, *(COORDINATE + key for key in keys))}
    for point in points:
        _check(point)
        for name, values in plain.items():
            values.append(getattr(point, name))
        coded["engine"].add(point.engine)
        for name in PARTS:
            coded[name].add(_text(point.spec, name))
        for key in keys:
            coded[COORDINATE + key].add(_text(point.coordinates, key))
    ids = pa.array(plain["point_id"], pa.string())
    replicates, seeds = (pa.array(plain[name], pa.int64()) for name in ("replicate", "seed"))
    return Points(point_table(ids, replicates, seeds, {n: c.array() for n, c in coded.items()}))


def _text(values: Mapping[str, object], key: str) -> str | None:
    return canonical_json(values[key]) if key in values else None


def _check(point: Point) -> None:
    spec = {"engine": point.engine, "seed": point.seed, **point.spec}
    known = (spec["engine"], spec["seed"]) == (point.engine, point.seed)
    if not known or spec.keys() - {"engine", "seed", *PARTS}:
        raise ValueError(f"point {point.point_id} has another spec than points have")
