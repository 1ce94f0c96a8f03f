"""Composition of plain group files, without Hydra's own configuration, which takes most of its
time. Files that say more than keys and values are left to Hydra."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from weft.config.experiment import GROUPS
from weft.config.files import parsed

#: Keys of `config.yaml` that are no sections.
_UNASKED = {"defaults", "experiments"}


def plain_composition(
    configs_dir: Path, choices: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]] | None:
    """The sections as Hydra would compose them, interpolations and all, and the chosen files.

    None where a file has packages, defaults of its own or a mistake, which Hydra shall tell, or
    where a group is chosen that `config.yaml` does not start from.
    """
    defaults = _defaults(configs_dir)
    if defaults is None or not choices.keys() <= defaults.keys():
        return None
    chosen = {**defaults, **{group: str(choice) for group, choice in choices.items()}}
    sections = {group: _group(configs_dir, group, chosen[group]) for group in chosen}
    if any(section is None for section in sections.values()):
        return None
    return cast("dict[str, Any]", sections), chosen


def _defaults(configs_dir: Path) -> dict[str, str] | None:
    raw = _plain_file(configs_dir / "config.yaml")
    if raw is None or set(raw) - _UNASKED or not isinstance(raw.get("defaults"), list):
        return None
    found: dict[str, str] = {}
    for entry in raw["defaults"]:
        if entry == "_self_":
            continue
        if not isinstance(entry, dict) or len(entry) != 1:
            return None
        ((group, choice),) = entry.items()
        if group not in GROUPS or not isinstance(choice, str):
            return None
        found[group] = choice
    return found


def _group(configs_dir: Path, group: str, choice: str) -> dict[str, Any] | None:
    raw = _plain_file(configs_dir / group / f"{choice}.yaml")
    return None if raw is None or "defaults" in raw else raw


def _plain_file(path: Path) -> dict[str, Any] | None:
    try:
        stamp = path.stat()
    except OSError:
        return None
    return _read(path, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=1024)
def _read(path: Path, _changed: int, _size: int) -> dict[str, Any] | None:
    try:
        text = path.read_text(encoding="utf-8")
        raw = parsed(text)
    except Exception:
        return None
    plain = isinstance(raw, dict) and "@package" not in text
    return cast("dict[str, Any]", raw) if plain else None
