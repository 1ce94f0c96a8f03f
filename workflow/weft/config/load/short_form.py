"""The overrides of an experiment's short form, checked with the experiment itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from weft.config.compose.overrides import split_overrides
from weft.config.language.errors import ConfigError, Problem

#: Gives the mistakes of the experiment under overrides.
Check = Callable[[Sequence[str]], Sequence[ConfigError]]


def short_form_problems(
    folders: Sequence[Path], texts: Sequence[str], check: Check
) -> Iterator[Problem]:
    """What is wrong with the overrides `texts` under `quick`, or only with what they make."""
    if not texts:
        return
    unreadable = [
        Problem(f"quick[{i}]", _said(each.key, each.message))
        for i, text in enumerate(texts)
        for each in split_overrides(folders, [text])[1]
    ]
    if unreadable:
        yield from unreadable
        return
    if together := split_overrides(folders, texts)[1]:
        yield from (Problem("quick", each.message) for each in together)
        return
    for error in check(texts):
        override = error.file.partition(" with override ")[2]
        places = (f"quick[{i}]" for i, text in enumerate(texts) if override == f"'{text}'")
        place = next(places, None)
        short = f"wrong in the short form only: {error}"
        yield Problem(place or "quick", _said(error.key, error.message) if place else short)


def _said(key: str, message: str) -> str:
    return f"{key}: {message}" if key else message
