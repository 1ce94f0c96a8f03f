"""The order of labels of links and ports."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Classes of links between nodes and routers, which come after those between routers.
_NODES = ("injection", "ejection")


def natural(text: str | None) -> tuple[object, ...]:
    """Orders labels: x+ before x-, 5–10 % before 10–20 %."""
    parts = re.split(r"(\d+)", text or "")
    first = (2, _NODES.index(str(text)), "") if text in _NODES else (0, 0, "")
    return (first, *_counted(parts))


def _counted(parts: Sequence[str]) -> tuple[object, ...]:
    return tuple((0, int(p), "") if p.isdigit() else (1, 0, p) for p in parts if p)
