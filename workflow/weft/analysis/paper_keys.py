"""The keys that an entry of a paper's file has to have and those that it may have."""

from __future__ import annotations

from collections.abc import Mapping, Set

from weft.config.language.errors import nearest


def check_keys(
    fields: Mapping[str, object], needed: Set[str], optional: Set[str], place: str
) -> None:
    """Raise ValueError with every key that an entry lacks or that there is not; `place` is the file
    and the entry."""
    known = sorted(needed | optional)
    missing, unknown = needed - set(fields), set(fields) - needed - optional
    if missing or unknown:
        listed = [f"lacks {key}" for key in sorted(missing)]
        listed += [f"'{key}' is not a key{nearest(key, known)}" for key in sorted(unknown)]
        raise ValueError(f"{place}: {', '.join(listed)}; keys are {', '.join(known)}")
