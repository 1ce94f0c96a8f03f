"""Overrides from the command line: `key=value`, where the key is any key of an experiment file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from weft.config.compose import group_choices
from weft.config.errors import Problem, unknown
from weft.config.experiment import GROUPS


@dataclass(frozen=True)
class Overrides:
    """Overrides as Hydra wants them, the keys they set, and changes of the sweep."""

    hydra: tuple[str, ...] = ()
    keys: frozenset[str] = frozenset()
    sweep: dict[str, Any] = field(default_factory=dict)
    texts: tuple[str, ...] = ()


def split_overrides(configs_dir: Path, texts: Sequence[str]) -> tuple[Overrides, list[Problem]]:
    """Sort `key=value` texts, and say what is wrong with them."""
    hydra: list[str] = []
    keys: set[str] = set()
    sweep: dict[str, Any] = {}
    found: list[Problem] = []
    for text in texts:
        key, equals, value = text.partition("=")
        key = key.strip().lstrip("+~")
        try:
            plain = yaml.safe_load(value)
        except yaml.YAMLError:
            equals = ""
        if not equals or not key:
            found.append(Problem("", f"override '{text}' does not read like topology.k=4"))
        elif key.startswith("sweep."):
            sweep[key.removeprefix("sweep.")] = plain
        elif key in GROUPS:
            known = group_choices(configs_dir, key)
            found += [] if plain in known else [Problem(key, unknown(key, str(plain), known))]
            hydra.append(f"{key}={value.strip()}")
            keys.add(key)
        else:
            # `++` adds or changes: whether the key exists is for the models to say.
            hydra.append(f"++{key}={_hydra_value(plain, value.strip())}")
            keys.add(key)
    return Overrides(tuple(hydra), frozenset(keys), sweep, tuple(texts)), found


def _hydra_value(plain: Any, written: str) -> str:
    if isinstance(plain, str):
        escaped = plain.replace("\\", "\\\\").replace("'", "\\'")
        return f"'{escaped}'"
    return written
