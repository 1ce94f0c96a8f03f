"""Values that refer to others, `${topology.k}`: also where the sweep gives those their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from weft.config.language.errors import Problem
from weft.config.model.experiment import Choices
from weft.config.model.sweep import parse_sweep


class LinkError(ValueError):
    """A value refers to nothing, or to itself, perhaps only with some `choices` of groups."""

    def __init__(self, problem: Problem, choices: Choices = ()) -> None:
        super().__init__(problem.message)
        self.problem, self.choices = problem, choices


def has_links(values: object) -> bool:
    """Whether a value somewhere refers to another one."""
    return "${" in str(values)


def first_values(sweep: object) -> dict[str, object]:
    """The first value of every key that a sweep sets; other checks report mistakes of the sweep."""
    found = parse_sweep(sweep)[0].first() if isinstance(sweep, Mapping) else {}
    return {key: value for key, value in found.items() if "." in key}


def resolved(values: Mapping[str, object], given: Mapping[str, object]) -> dict[str, Any]:
    """`values` with what they refer to, where the dotted keys of `given` have those values.

    Raises LinkError.
    """
    if not has_links(values):
        return dict(values)
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from weft.config.points.link_expansion import expansion_problem
    from weft.config.points.link_mistakes import link_problem

    plain: dict[str, object] = {}
    try:
        whole = OmegaConf.create(dict(values))
        for key, value in given.items():
            OmegaConf.update(whole, key, value, merge=False, force_add=True)
        plain = cast("dict[str, object]", OmegaConf.to_container(whole))
        if problem := expansion_problem(plain):
            raise LinkError(problem)
        return cast("dict[str, object]", OmegaConf.to_container(whole, resolve=True))
    except OmegaConfBaseException as error:
        raise LinkError(link_problem(plain, error.full_key or "", error)) from None


def resolved_beside(
    values: Mapping[str, object], swept: Mapping[str, object], choices: Choices = ()
) -> dict[str, object]:
    """`values` with what they refer to: a key that only the sweep sets has its first value of
    `swept` for those that refer to it, and is not set itself. `choices` made the values.

    Raises LinkError.
    """
    absent = {key: value for key, value in swept.items() if not _holds(values, key.split("."))}
    try:
        found = resolved(values, absent)
    except LinkError as error:
        raise LinkError(error.problem, choices) from None
    if has_links(values):
        for key in absent:
            _without(found, key.split("."))
    return found


def referred(values: object, keys: Iterable[str]) -> tuple[str, ...]:
    """Those of `keys` to which a value may refer: by the key, or by the section that holds it."""
    words = {word for text in _linked_texts(values) for word in re.findall(r"\w+", text)}
    found = (key for key in keys if {key.rpartition(".")[2], key.split(".")[0]} & words)
    return tuple(found)


def _linked_texts(values: object) -> Iterator[str]:
    if isinstance(values, str) and "${" in values:
        yield values
    elif isinstance(values, Mapping):
        for each in values.values():
            yield from _linked_texts(each)
    elif isinstance(values, list):
        for each in values:
            yield from _linked_texts(each)


def _holds(values: object, path: list[str]) -> bool:
    for step in path:
        if not isinstance(values, Mapping) or step not in values:
            return False
        values = values[step]
    return True


def _without(values: dict[str, Any], path: list[str]) -> None:
    for step in path[:-1]:
        values = values[step]
    values.pop(path[-1], None)
