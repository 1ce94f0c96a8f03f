"""A database that turns out to be damaged where a page reads it: made again, and read again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from weft.database.collect import collect
from weft.database.reading import DamagedDatabaseError


def with_whole_database(
    make: Callable[[], None], experiment: str, results: Path, papers: Path, database: Path
) -> None:
    """Call `make`; where that finds the database damaged, make it again and call once more.

    The collection of one `experiment` makes all of it. Only what reads a block sees that it is
    damaged, so that no plan can know.
    """
    try:
        make()
    except DamagedDatabaseError as error:
        print(f"weft: {error.what}: it is made again", file=sys.stderr, flush=True)
        collect(experiment, results, papers, database)
        make()
