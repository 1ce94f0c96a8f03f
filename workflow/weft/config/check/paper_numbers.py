"""Which numbers a paper prints: each row of `configs/paper/<paper>_numbers.csv` is a number or a
table."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from weft.tables.published import PublishedError

COLUMNS = ("place", "what", "value", "count", "counterpart", "reason")
#: What every message on a row ends with.
ALLOWED = (
    "a row has place, what and a count of at least 1, a value unless it is a table, and either a"
    " counterpart or a reason; counterparts are 'ITEM' and 'claim NAME' of {about}, 'experiment"
    " NAME: KEY OR METRIC', and 'network NAME: KEY', likewise of topology, workload, engine and"
    " service"
)


@dataclass(frozen=True, slots=True)
class PaperNumber:
    """A printed number, or a table of `count` of them; `value` has its unit.

    It has a `counterpart` in the project or a `reason` for having none.
    """

    place: str
    what: str
    value: str
    count: int
    counterpart: str
    reason: str
    line: int


def read_paper_numbers(papers: Path, paper: str) -> list[PaperNumber]:
    """The numbers that a paper prints; none of a paper without such a file.

    Raises PublishedError for the first mistake. Whether counterparts exist is not looked up.
    """
    path = _file(papers, paper)
    if not path.is_file():
        return []
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            if tuple(next(reader, ())) != COLUMNS:
                raise PublishedError(f"{_shown(path)}:1: its columns are {', '.join(COLUMNS)}")
            found = []
            for cells in filter(None, reader):
                row = dict(zip(COLUMNS, cells, strict=False))
                if mistake := _mistake(row, len(cells)):
                    raise PublishedError(wrong_row(papers, paper, reader.line_num, mistake))
                found.append(_number(row, reader.line_num))
            return found
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise PublishedError(f"{_shown(path)} cannot be read: {error}") from error


def _file(papers: Path, paper: str) -> Path:
    # Beside the folder of the paper, whose files hold values to compare.
    return papers / f"{paper}_numbers.csv"


def _shown(path: Path) -> str:
    """As it is written in the documents, whatever the working folder."""
    return "/".join(path.parts[-3:])


def wrong_row(papers: Path, paper: str, line: int, mistake: str) -> str:
    """The message for a row: file, line, what is wrong and what is allowed."""
    path = _file(papers, paper)
    allowed = ALLOWED.format(about=f"configs/paper/{paper}.yaml")
    return f"{_shown(path)}:{line}: {mistake}; {allowed}"


def _number(row: Mapping[str, str], line: int) -> PaperNumber:
    return PaperNumber(
        place=row["place"],
        what=row["what"],
        value=row["value"],
        count=int(row["count"]),
        counterpart=row["counterpart"],
        reason=row["reason"],
        line=line,
    )


def _mistake(row: Mapping[str, str], cells: int) -> str:
    if cells != len(COLUMNS):
        return f"{cells} cells, but there are {len(COLUMNS)} columns"
    if not row["place"] or not row["what"]:
        return "place or what is empty"
    if not row["count"].isdecimal() or int(row["count"]) < 1:
        return f"count '{row['count']}'"
    if row["count"] == "1" and not row["value"]:
        return "value is empty"
    if bool(row["counterpart"]) == bool(row["reason"]):
        return "counterpart and reason " + ("are both given" if row["reason"] else "are empty")
    return ""
