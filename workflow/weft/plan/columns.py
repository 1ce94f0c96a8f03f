"""How the columns of points are put together."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from weft.plan.model import PARTS

#: How the columns of swept keys begin.
COORDINATE = "coordinates."
#: Bytes of a digest that make a point's id, in twice as many hex digits.
ID_BYTES = 6
_NONE = -1


class Codes:
    """A column of texts that repeat themselves: each text once, and its number for every row."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._rows = array("i")

    def number(self, text: str) -> int:
        """The number of `text`, a new one at the first request."""
        return self._numbers.setdefault(text, len(self._numbers))

    def add(self, text: str | None) -> None:
        """One more row; None where it has no text."""
        self.add_number(_NONE if text is None else self.number(text))

    def add_number(self, number: int) -> None:
        """One more row, whose text has this number."""
        self._rows.append(number)

    def array(self, repeats: npt.NDArray[np.int64] | None = None) -> pa.Array:
        """The column, each row as often as `repeats` says."""
        rows = np.frombuffer(self._rows, np.int32) if self._rows else np.zeros(0, np.int32)
        if repeats is not None:
            rows = np.repeat(rows, repeats)
        indices = pa.array(rows, mask=rows == _NONE)
        return pa.DictionaryArray.from_arrays(indices, pa.array(list(self._numbers), pa.string()))


def point_table(
    ids: pa.Array, replicates: pa.Array, seeds: pa.Array, coded: Mapping[str, pa.Array]
) -> pa.Table:
    """The table of `weft.plan.points.Points`; `coded` are its dictionary columns by name."""
    swept = sorted(name for name in coded if name.startswith(COORDINATE))
    columns: dict[str, object] = {"point_id": ids, "engine": coded["engine"]}
    columns |= {"replicate": replicates, "seed": seeds}
    columns |= {name: coded[name] for name in (*PARTS, *swept)}
    return pa.table(columns)


def id_texts(digests: bytes | bytearray) -> pa.Array:
    """Ids of points as texts, from `ID_BYTES` for each of them."""
    digits = 2 * ID_BYTES
    count = len(digests) // ID_BYTES
    offsets = np.arange(count + 1, dtype=np.int32) * np.int32(digits)
    texts = bytes(digests).hex().encode()
    return pa.StringArray.from_buffers(count, pa.py_buffer(offsets), pa.py_buffer(texts))


def first_of_each(digests: bytes | bytearray) -> npt.NDArray[np.int64]:
    """Where each distinct id stands first, in order, from `ID_BYTES` for each."""
    numbers = np.zeros((len(digests) // ID_BYTES, 8), np.uint8)
    numbers[:, :ID_BYTES] = np.frombuffer(digests, np.uint8).reshape(-1, ID_BYTES)
    _, first = np.unique(numbers.view(np.uint64), return_index=True)
    return np.sort(first)
