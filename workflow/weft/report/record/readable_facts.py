"""Recorded facts as people read them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from weft.files import JsonObject
from weft.report.data.units import key_label, quantity

#: Facts whose keys are names, of nodes or variables, and stay as they are.
_NAMES_THINGS = ("fabric", "fabric_variables")
_LABELS = {"job": "Slurm jobs", "cpu": "CPU", "mpi": "MPI"}
_CAPITALS = ("mpi", "cpu", "os")
DIGITS = 12


@dataclass(frozen=True, slots=True)
class Fact:
    """A text on the page; `full` is what it shortens, shown when pointed at."""

    text: str
    full: str | None = None


def fact_label(key: str, value: object = None) -> str:
    """A recorded fact's name: units go with the value, abbreviations stay capital."""
    if key == "cpus":
        return "CPUs by rank" if isinstance(value, list) else "CPUs of the machine"
    if key in _LABELS:
        return _LABELS[key]
    for ending in ("_bytes_per_s", "_s", "_bytes"):
        key = key.removesuffix(ending)
    words = key_label(key).split()
    return " ".join(w.upper() if w.lower() in _CAPITALS else w for w in words)


def fact_text(key: str, value: object) -> str:
    """A recorded fact's value; empty when there is none."""
    if value is None or value == "":
        return ""
    if isinstance(value, dict):
        named = key in _NAMES_THINGS
        parts = (
            f"{k if named else fact_label(k).lower()} {fact_text(k, v)}" for k, v in value.items()
        )
        return ", ".join(part for part in parts if not part.endswith(" "))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(fact_text(key, entry) for entry in value)
    if isinstance(value, float):
        unit = "B/s" if key.endswith("_per_s") else "s" if key.endswith("_s") else ""
        return quantity(value, unit)
    return str(value)


def image_fact(name: str | None, sha256: str | None) -> Fact | None:
    """An image's file name with its digest, shortened."""
    digest = f"SHA-256 {sha256[:DIGITS]}" if sha256 else None
    text = ", ".join(part for part in (name, digest) if part)
    return Fact(text, sha256) if text else None


def library_fact(full: str | None) -> Fact | None:
    """What an MPI library says about itself, as far as its version."""
    if not full:
        return None
    short = re.sub(r"\s*Version:\s*", " ", full.partition(",")[0]).strip()
    return Fact(short, None if short == full else full)


def listed(names: Sequence[str], most: int) -> Fact | None:
    """`a, b and 3 more`, with all of them behind it."""
    if not names:
        return None
    if len(names) <= most:
        return Fact(", ".join(names))
    more = f" and {len(names) - most:,} more"
    return Fact(", ".join(names[:most]) + more, ", ".join(names))


def decoded(text: str) -> JsonObject:
    """The facts of `runs.environment`; a text that is not JSON stays one fact."""
    try:
        value = json.loads(text)
    except ValueError:
        return {"environment": text}
    return value if isinstance(value, dict) else {"environment": text}
