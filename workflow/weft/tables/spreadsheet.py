"""What a spreadsheet would calculate instead of showing it, in CSV files that weft writes."""

from __future__ import annotations

import re

import pyarrow as pa
import pyarrow.compute as pc

#: How a text begins that a spreadsheet would calculate; names of files, nodes and variants may come
#: from somebody else.
_BEGIN = r"\A[=@+\t\r-]"
#: A negative number, or the sign for nothing, begins like one.
_NUMBER = r"\A-[0-9.]*(?:[eE][+-]?[0-9]+)?\z"
_FORMULA = re.compile(rf"(?!{_NUMBER[:-1]}Z){_BEGIN}")


def plain_text(text: str) -> str:
    """`text` with an apostrophe in front if it would be a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def plain_table(table: pa.Table) -> pa.Table:
    """The same for every column of texts."""
    for place, field in enumerate(table.schema):
        if pa.types.is_string(field.type):
            column = table.column(place)
            begun = pc.match_substring_regex(column, _BEGIN)
            wrong = pc.and_not(begun, pc.match_substring_regex(column, _NUMBER))
            if pc.any(wrong).as_py():
                marked = pc.binary_join_element_wise("'", column, "")
                table = table.set_column(place, field, pc.if_else(wrong, marked, column))
    return table
