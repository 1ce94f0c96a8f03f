"""Values that are replaced as a whole where Hydra would merge their keys.

A range, `{from: 1 B, to: 1 MiB, factor: 2}`, is one value: if another range or a list replaces it,
no part of it stays. Hydra merges mappings and refuses to put a list over one, so a range goes
through it as a text and is taken out again afterwards. So does a list in the place of a section,
which is a mistake: what else the file says is to be composed and checked as well.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

#: No YAML text can begin with it.
_SIGN = "\0"
_RANGE = {"from", "to", "step", "factor"}
_CONDITIONAL = {"when", "values"}


def is_whole(value: object) -> bool:
    """Whether a mapping is one value: a range, or values under a condition."""
    if not isinstance(value, Mapping):
        return False
    keys = set(value)
    return {"from", "to"} <= keys <= _RANGE or {"values"} <= keys <= _CONDITIONAL


def closed(value: object, misplaced: Collection[tuple[str, ...]] = ()) -> Any:
    """`value` with every such mapping as a text; lists are replaced as a whole anyway.

    `misplaced` are the places of lists where sections belong.
    """
    return _closed(value, misplaced, ())


def _closed(
    value: object, misplaced: Collection[tuple[str, ...]], place: tuple[str, ...]
) -> object:
    if is_whole(value) or place in misplaced:
        return _SIGN + json.dumps(value)
    if not isinstance(value, dict):
        return value
    return {key: _closed(each, misplaced, (*place, str(key))) for key, each in value.items()}


def opened(value: object) -> Any:
    """What `closed` was given."""
    if isinstance(value, str) and value.startswith(_SIGN):
        return json.loads(value[len(_SIGN) :])
    if isinstance(value, dict):
        return {key: opened(each) for key, each in value.items()}
    return value
