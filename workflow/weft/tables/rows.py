"""Rows as an Arrow table, without pandas.

`pyarrow.array` imports pandas to ask whether a list is one of its series. That takes longer than
all else that the job of a small shard does.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

import numpy as np
import pyarrow as pa

_NUMBERS = {pa.int64(): "q", pa.float64(): "d"}


def table_of(rows: Iterable[Mapping[str, object]], schema: pa.Schema) -> pa.Table:
    """`rows` as a table of `schema`, whose columns are texts and numbers; what a row lacks is NULL.

    Raises pyarrow.ArrowInvalid or ArrowTypeError when a row does not fit the schema.
    """
    rows = list(rows)
    unknown = {key for row in rows for key in row} - set(schema.names)
    if unknown:
        raise pa.ArrowInvalid(f"columns {sorted(unknown)} are not in the schema {schema.names}")
    columns = [column([row.get(field.name) for row in rows], field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """`values` as an array of texts or numbers; None is NULL."""
    known = np.fromiter((value is not None for value in values), bool, len(values))
    try:
        if kind == pa.string():
            buffers = _texts(["" if value is None else value for value in values])
        else:
            numbers = array(_NUMBERS[kind], (0 if value is None else value for value in values))
            buffers = [pa.py_buffer(numbers)]
    except (TypeError, AttributeError, OverflowError, KeyError):
        # Arrow says what does not fit, or how it does.
        return pa.array(values, kind)
    bits = None if known.all() else pa.py_buffer(np.packbits(known, bitorder="little"))
    return pa.Array.from_buffers(kind, len(values), [bits, *buffers])


def _texts(values: Sequence[str]) -> list[pa.Buffer]:
    encoded = [value.encode() for value in values]
    ends = accumulate(map(len, encoded))
    # 32 bits, as Arrow has it; more text than they count raises OverflowError.
    places = array("i", chain([0], ends))
    return [pa.py_buffer(places), pa.py_buffer(b"".join(encoded))]
