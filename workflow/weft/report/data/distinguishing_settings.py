"""The settings that distinguish places of an experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weft.report.data.axes import SIZE
from weft.report.data.source import Study


def place(
    study: Study, coordinates: Mapping[str, object], named: Sequence[str] = ()
) -> list[tuple[str, object]]:
    """The settings that distinguish places of the experiment, beside those `named`."""
    sizes = [SIZE] if max(study.answered.values(), default=0) > 1 else []
    keys = [*study.distinguishing(tuple(named)), *sizes]
    return [(key, coordinates[key]) for key in keys if coordinates.get(key) is not None]
