"""The side tables that simulators declare, each beside the code that fills it.

`configs/catalogue.json` has what they say. It is read here, and not through a model of all of it,
because every job imports this module.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from weft.files.layout import CLONE, Layout

CATALOGUE_FILE = Layout(CLONE).configs / "catalogue.json"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a side table; its name ends with the unit of its numbers."""

    name: str
    cells: Literal["text", "integer", "number"]
    about: str
    #: Whether files may lack it: those of earlier versions, and of engines that do not know it. It
    #: is NULL then.
    is_optional: bool
    #: Whether simulators leave it to others: to a machine, or to what reads the files.
    is_of_others: bool


@dataclass(frozen=True, slots=True)
class SideTable:
    """A table with a file for each point that asks for it."""

    name: str
    #: What has a row.
    row: str
    about: str
    #: None of a file that is for other programs.
    columns: tuple[Column, ...]
    #: Whether it shows the messages of one size alone.
    has_one_size: bool
    #: The table that it is written beside; no point asks for it itself.
    beside: str | None

    def header(self) -> str:
        """The first line of a simulator's file."""
        return ",".join(each.name for each in self.columns if not each.is_of_others) + "\n"


def _table(name: str, said: Mapping[str, object], columns: tuple[Column, ...]) -> SideTable:
    return SideTable(name, **{**said, "columns": columns})  # type: ignore[arg-type]


def _declared() -> dict[str, SideTable]:
    said = json.loads(CATALOGUE_FILE.read_bytes())["side_tables"]
    return {
        name: _table(name, each, tuple(Column(**column) for column in each["columns"]))
        for name, each in said.items()
    }


#: What a simulator may write beside its metrics, by name: tables, and files for other programs.
DECLARED = _declared()
#: The files among them.
FILES = frozenset(name for name, table in DECLARED.items() if not table.columns)
#: The tables among them.
SIDE_TABLES = tuple(name for name in DECLARED if name not in FILES)
