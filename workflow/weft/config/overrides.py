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
    """Chosen groups, values by dotted key, and changes of the sweep."""

    choices: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)
    sweep: dict[str, Any] = field(default_factory=dict)
    texts: tuple[str, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """The keys that are set."""
        return frozenset({*self.choices, *self.values})


def split_overrides(configs_dir: Path, texts: Sequence[str]) -> tuple[Overrides, list[Problem]]:
    """Sort `key=value` texts, and say what is wrong with them."""
    choices: dict[str, str] = {}
    values: dict[str, Any] = {}
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
            choices[key] = str(plain)
        else:
            # Whether the key exists is for the models to say.
            values[key] = plain
    return Overrides(choices, values, sweep, tuple(texts)), found
