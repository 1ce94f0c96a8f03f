"""Overrides from the command line, in Hydra's grammar: `key=value`, `++key=value`, `~key`.

The key is any key of an experiment file. `key=2,4,8` varies the key, as `sweep.key=[2, 4, 8]` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from weft.config.compose.atomic_values import is_whole
from weft.config.compose.composition import NO_GROUPS, group_choices
from weft.config.language.errors import Problem, unknown
from weft.config.language.yaml_files import cause
from weft.config.model.experiment import GROUPS, POINT_GROUPS
from weft.config.model.kinds import KINDS

if TYPE_CHECKING:
    from hydra.core.override_parser.types import Override

_LIKE = "is not of the form topology.k=4"


@dataclass(frozen=True)
class Overrides:
    """Chosen groups, lines for Hydra, changes of the sweep; `keys` holds the text that sets each
    key, and `dropped` the axes that go."""

    choices: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    sweep: Mapping[str, object] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    keys: Mapping[str, str] = field(default_factory=dict)

    def blamed(self, problem: Problem) -> Problem:
        """A problem of Hydra's without a key, under the key of the override that it names."""
        if problem.key:
            return problem
        for key, text in self.keys.items():
            # Hydra names a choice without the sign before it, and only some of them with a value.
            choice = text.strip().lstrip("+~")
            names = {f"'{key}'", f"'{choice}'", f"'{choice.partition('=')[0]}'"}
            if any(name in problem.message for name in names):
                chosen = key.partition("@")[0] in GROUPS
                return Problem(key, _no_choice(key)) if chosen else replace(problem, key=key)
        return problem


def split_overrides(
    folders: Sequence[Path], texts: Sequence[str]
) -> tuple[Overrides, list[Problem]]:
    """Sort the overrides, and say what is wrong with them."""
    if not texts:
        return Overrides(), []
    sorting = _Sorting(folders)
    for text in texts:
        sorting.add(text)
    return sorting.overrides(), sorting.problems


class _Sorting:
    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = folders
        self.choices: dict[str, str] = {}
        self.lines: list[str] = []
        self.sweep: dict[str, object] = {}
        self.dropped: set[str] = set()
        self.keys: dict[str, str] = {}
        self.problems: list[Problem] = []

    def overrides(self) -> Overrides:
        lines, dropped = tuple(self.lines), frozenset(self.dropped)
        return Overrides(self.choices, lines, self.sweep, dropped, self.keys)

    def add(self, text: str) -> None:
        parsed = _parsed(text)
        if isinstance(parsed, str):
            self.problems.append(Problem("", f"override '{text}' {parsed}"))
        else:
            self._sort(text, parsed)

    def _sort(self, text: str, parsed: Override) -> None:
        from weft.config.compose.resolvers import resolver_problems

        key = parsed.key_or_group
        place = f"sweep.{key}" if parsed.is_sweep_override() else _place(parsed)
        if place in self.keys:
            self._wrong(key, f"'{self.keys[place]}' and '{text}' set the same key")
        self.keys[place] = text
        wrong = next(resolver_problems(text), None)
        if wrong is not None:
            self._wrong(key, wrong.message)
        elif key.partition("/")[0].partition(".")[0] == "hydra":
            self._wrong(key, "Hydra's own settings are not allowed here")
        elif key.startswith("sweep."):
            self._vary(key.removeprefix("sweep."), parsed)
        elif parsed.is_sweep_override():
            self._vary(key, parsed)
        elif key in NO_GROUPS:
            self._wrong(key, f"'{text}' chooses nothing: only {', '.join(GROUPS)} can be chosen")
        elif parsed.package is not None and not any((each / key).is_dir() for each in self.folders):
            self._wrong(key, unknown("group", key, GROUPS))
        elif key in GROUPS and parsed.package is None and not parsed.is_delete():
            self._choose(key, text, parsed.value())
        else:
            self.lines += _lines(text, parsed)

    def _choose(self, group: str, text: str, choice: object) -> None:
        known = group_choices(self.folders, group)
        if choice is None:
            how = "name one" if group in KINDS else f"write ~{group}, or name one"
            allowed = ", ".join(known)
            self._wrong(group, f"'{text}' leaves the {group} out: {how}; allowed: {allowed}")
        elif not isinstance(choice, str) or choice not in known:
            self._wrong(group, unknown(group, str(choice), known))
        self.choices[group] = str(choice)

    def _vary(self, key: str, parsed: Override) -> None:
        if parsed.is_delete():
            self.dropped.add(key)
            return
        if key in GROUPS and key not in POINT_GROUPS:
            self._wrong(key, f"{key} cannot vary within an experiment")
        try:
            self.sweep[key] = _values(parsed)
        except ValueError as error:
            self._wrong(key, str(error))

    def _wrong(self, key: str, message: str) -> None:
        self.problems.append(Problem(key, message))


def _place(parsed: Override) -> str:
    """The key, and the section that a choice is made for where it is not its group's own."""
    key = str(parsed.key_or_group)
    return key if parsed.package is None else f"{key}@{parsed.package}"


def _no_choice(place: str) -> str:
    group, package = place.partition("@")[::2]
    add = f", or +{place}=NAME to add one" if package else ""
    return f"the experiment makes no such choice; write {group}=NAME to change its {group}{add}"


# What is under `quick` is read one by one, together and to be composed.
@lru_cache(maxsize=1024)
def _parsed(text: str) -> Override | str:
    """The override, or what is wrong with it."""
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    if text.strip().startswith("="):
        return "has no key before its '='"
    try:
        return OverridesParser.create().parse_override(text.strip())
    except HydraException as error:
        for opening, closing in ("[]", "{}", "()"):
            if text.count(opening) > text.count(closing):
                return f"has a '{opening}' that no '{closing}' closes"
        return f"{_LIKE}: {cause(error)}; put text with other characters in quotes"


def _values(parsed: Override) -> object:
    """The values that vary: as written, or those of a sweep in Hydra's grammar."""
    from hydra.core.override_parser.types import ValueType

    if not parsed.is_sweep_override():
        return parsed.value()
    if parsed.value_type in (ValueType.INTERVAL_SWEEP, ValueType.GLOB_CHOICE_SWEEP):
        raise ValueError("write the values, like 2,4,8, choice(2, 4, 8) or range(2, 9)")
    if getattr(parsed.value(), "shuffle", False):
        raise ValueError("shuffled values would differ from run to run")
    return list(parsed.sweep_iterator(_unquoted))


def _unquoted(value: object) -> object:
    from hydra.core.override_parser.types import QuotedString

    if isinstance(value, QuotedString):
        return value.text
    if isinstance(value, list):
        return [_unquoted(each) for each in value]
    if isinstance(value, dict):
        return {_unquoted(key): _unquoted(each) for key, each in value.items()}
    return value


def _lines(text: str, parsed: Override) -> Iterator[str]:
    """What Hydra is given: the models know which keys there are, so a plain `key=` may add one."""
    text, value = text.strip(), parsed.value()
    if parsed.is_delete() or parsed.is_add() or parsed.package is not None:
        yield text
        return
    if isinstance(value, list) or is_whole(value):
        # A value replaces what was there, of whatever kind the two are.
        yield f"++{parsed.key_or_group}=null"
    yield text if parsed.is_force_add() else f"++{text}"
