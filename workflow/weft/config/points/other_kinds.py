"""Keys that a section of another kind has: `injection_rate` in a workload of messages."""

from __future__ import annotations

from dataclasses import replace

from weft.config.language.errors import Problem
from weft.config.language.section import key_names
from weft.config.model.kinds import KINDS


def of_other_kinds(key: str, kind: str) -> str:
    """`; a workload of kind traffic has this key, one of kind messages has not`, or nothing.

    `key` is a dotted key that the section's `kind` does not have.
    """
    section, _, name = key.partition(".")
    models = KINDS.get(section, {})
    having = sorted(each for each, model in models.items() if name in key_names(model))
    if not having or kind in having or kind not in models:
        return ""
    return f"; a {section} of kind {' or '.join(having)} has this key, one of kind {kind} has not"


def with_kinds(problem: Problem, kind: str) -> Problem:
    """The problem, with the kinds that have its key if `kind` has not."""
    return replace(problem, message=problem.message + of_other_kinds(problem.key, kind))
