"""Titles of figures: no two on one page are the same."""

from __future__ import annotations

from collections.abc import Sequence


def distinct(titles: Sequence[str], hints: Sequence[Sequence[str]]) -> list[str]:
    """`titles`; equal ones get the first hints that distinguish them, else a number."""
    found = list(titles)
    for name in dict.fromkeys(titles):
        same = [i for i, each in enumerate(titles) if each == name]
        if len(same) > 1:
            chosen = _distinct([hints[i] for i in same])
            for i, text in zip(same, chosen, strict=True):
                found[i] = f"{name} ({text})" if text else name
    return found


def _distinct(hints: Sequence[Sequence[str]]) -> list[str]:
    """One kind of hint if it distinguishes all, else all kinds, else numbers from the second on."""
    for kind in zip(*hints, strict=True):
        if len(set(kind)) == len(kind):
            return list(kind)
    whole = [", ".join(part for part in each if part) for each in hints]
    if len(set(whole)) == len(whole):
        return whole
    return ["", *(str(number) for number in range(2, len(hints) + 1))]
