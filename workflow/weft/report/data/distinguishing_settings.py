"""The settings that distinguish places of an experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weft.report.data.axes import SIZE
from weft.report.data.settings import VARIANT
from weft.report.data.source import Study


def place(
    study: Study, coordinates: Mapping[str, object], named: Sequence[str] = ()
) -> list[tuple[str, object]]:
    """The settings that distinguish places of the experiment, beside those `named`.

    A variant is one of them where the coordinates have it, and is the name of a series elsewhere.
    """
    variants = [VARIANT] if VARIANT not in named else []
    sizes = [SIZE] if max(study.answered.values(), default=0) > 1 else []
    keys = [*variants, *study.distinguishing(tuple(named)), *sizes]
    return [(key, coordinates[key]) for key in keys if coordinates.get(key) is not None]
