"""Numbers that vary together, as zipped axes: no difference is that of one of them alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from weft.report.data.settings import VARIANT, follows, is_kind

#: How far products may be apart that are the same.
_ROUNDING = 1e-9


def tied_to(chosen: Sequence[Mapping[str, object]], key: str, swept: Sequence[str]) -> list[str]:
    """The other keys of `swept` with numbers of which `key` says the value, and they that of `key`.

    Names of variants tell tied settings apart, and each kind of network has numbers of its own.
    """
    if not _has_numbers(chosen, key) or _varies(chosen, VARIANT) or any(map(is_kind, swept)):
        return []
    return [
        other for other in swept
        if other != key and _varies(chosen, other) and _has_numbers(chosen, other)
        and follows(chosen, other, [key]) and follows(chosen, key, [other])
    ]  # fmt: skip


def shared_product(chosen: Sequence[Mapping[str, object]], keys: Sequence[str]) -> float | None:
    """The product of the values of `keys`, where it is the same in all settings."""
    products = [math.prod(_number(settings.get(key)) for key in keys) for settings in chosen]
    near = all(math.isclose(products[0], each, rel_tol=_ROUNDING) for each in products)
    return products[0] if products and near else None


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _has_numbers(chosen: Sequence[Mapping[str, object]], key: str) -> bool:
    values = {settings.get(key) for settings in chosen} - {None}
    return bool(values) and all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in values
    )


def _varies(chosen: Sequence[Mapping[str, object]], key: str) -> bool:
    return len({repr(settings.get(key)) for settings in chosen}) > 1
