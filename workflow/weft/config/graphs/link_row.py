"""What files say of a link, in words and quantities that mean the same in every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from weft.config.graphs.model import GraphProblem, Link, LinkEnd
from weft.config.language.quantities import DELAY, RATE, parse

REQUIRED = ("from", "to")
OPTIONAL = ("from_port", "to_port", "bandwidth", "latency", "count", "class", "one_way")
#: Most ports of a switch, and so most cables between two switches.
MOST_PORTS = 65_535
_YES_AND_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class LinkRow:
    """What a file says of a link, by the names of its columns; empty texts say nothing."""

    cells: Mapping[str, str]
    line: int

    def links(self) -> list[Link]:
        """The link, as often as `count` says. Raises GraphProblem for a value that cannot be."""
        return [self._link()] * self._count()

    def _link(self) -> Link:
        return Link(
            LinkEnd(self._name("from"), self._value("from_port", port_number)),
            LinkEnd(self._name("to"), self._value("to_port", port_number)),
            self.line,
            self._value("bandwidth", _bandwidth),
            self._value("latency", lambda text: parse(text, DELAY)),
            self.cells.get("class") or "link",
            self._value("one_way", _yes_or_no) or False,
        )

    def _count(self) -> int:
        count = self._value("count", lambda text: _whole(text, 1, MOST_PORTS)) or 1
        if count > 1 and self.cells.get("from_port"):
            message = "count must be 1 where ports are given: a port has one cable"
            raise GraphProblem(message, self.line)
        return count

    def _name(self, column: str) -> str:
        if not self.cells.get(column):
            message = f"'{column}' is empty, must be the name of a node or switch"
            raise GraphProblem(message, self.line)
        return self.cells[column]

    def _value(self, column: str, read: Callable[[str], _Value]) -> _Value | None:
        text = self.cells.get(column)
        if not text:
            return None
        try:
            return read(text)
        except ValueError as error:
            raise GraphProblem(f"{column} is '{text}': {error}", self.line) from None


def _bandwidth(text: str) -> float:
    if (rate := parse(text, RATE)) == 0:
        raise ValueError("a rate must be above zero; leave the line out if there is no link")
    return rate


def port_number(text: str) -> int:
    """A number of a port. Raises ValueError with what is allowed."""
    return _whole(text, 0, MOST_PORTS)


def _whole(text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text[:9]) <= most:
        raise ValueError(f"must be a whole number from {least} to {most}")
    return int(text)


def _yes_or_no(text: str) -> bool:
    if (found := _YES_AND_NO.get(text.lower())) is None:
        raise ValueError("must be yes or no")
    return found
