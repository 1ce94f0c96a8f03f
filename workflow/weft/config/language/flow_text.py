"""Values as a file writes them in one line."""

from __future__ import annotations

from collections.abc import Mapping

import yaml


def written(value: object) -> str:
    """As it is written in a file: a list in brackets, a section in braces."""
    if not isinstance(value, list | tuple | Mapping):
        return str(value)
    plain = dict(value) if isinstance(value, Mapping) else list(value)
    text: str = yaml.safe_dump(
        plain, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**6
    )
    return text.strip()
