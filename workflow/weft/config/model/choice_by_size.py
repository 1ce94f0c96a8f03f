"""A choice that a table makes by the size of a message and the number of ranks.

An experiment writes rows, and the first one that holds counts: `[{up_to: 2 KiB, use: ring}, {use:
bruck}]`. A spec holds the same as rules, which programs/lib/choose.c reads:
`bytes<=2048: ring; bruck`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator, Discriminator, Field, Tag

from weft.config.language.errors import unknown
from weft.config.language.quantities import Size
from weft.config.language.section import Settings
from weft.config.model.declaration import LIBRARIES, OF_THE_LIBRARY
from weft.config.model.topology import Count


class Row(Settings):
    """A row of a table that takes the place of a choice, like `{up_to: 2 KiB, use: ring}`. The
    first row that holds counts, and the last one must apply to all others. [Where tables
    serve](collectives.md#the-choice-by-size)."""

    up_to: Size | None = None
    """The largest size for which the row holds; any unless given."""
    up_to_ranks: Count | None = None
    """The largest number of ranks for which the row holds; any unless given."""

    use: str
    """The value where the row holds."""

    def rule(self) -> str:
        """The row as `conditions: name`, or as the bare name if it always holds."""
        bounds = {"bytes": self.up_to, "ranks": self.up_to_ranks}
        given = [f"{name}<={int(most)}" for name, most in bounds.items() if most is not None]
        return f"{' '.join(given)}: {self.use}" if given else self.use


def or_table(word: Any, allowed: Sequence[str]) -> Any:
    """The type of `word` or a table of rows that use one of `allowed`; its value is a text."""
    names = tuple(name for name in allowed if name not in (*LIBRARIES, OF_THE_LIBRARY))
    rules = AfterValidator(partial(_rules, names))
    table = Annotated[list[Row], Field(min_length=1), rules]
    # The tags are names of types, which locations of mistakes leave out.
    branches = Annotated[word, Tag("str")] | Annotated[table, Tag("list")]
    return Annotated[branches, Discriminator(_branch)]


def _branch(value: object) -> str:
    return "list" if isinstance(value, list) else "str"


def _rules(names: Sequence[str], rows: list[Row]) -> str:
    if wrong := next((row.use for row in rows if row.use not in names), None):
        raise ValueError(unknown("value", wrong, names))
    always = [row.up_to is None and row.up_to_ranks is None for row in rows]
    if not always[-1]:
        raise ValueError("the last row must apply to all others: leave out up_to and up_to_ranks")
    if any(always[:-1]):
        raise ValueError(
            f"row {always.index(True) + 1} applies to everything, so the rows after it never "
            "apply: give it up_to or up_to_ranks"
        )
    return "; ".join(row.rule() for row in rows)
