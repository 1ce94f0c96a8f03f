"""A database in which one experiment is new: the old one changed in a copy, or all of it anew."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import duckdb

from weft.database.compact import compact, is_wasteful
from weft.database.contents import create_tables, write
from weft.database.failures import failures_text
from weft.database.files import DamagedShard
from weft.database.found import Collected, look, planned
from weft.database.leftovers import discard
from weft.database.sql import experiments
from weft.database.stamp import stamp_path, stamp_text
from weft.database.whole import holds_the_same, is_own
from weft.files import duplicate
from weft.files.layout import page_name
from weft.plan.outcomes import Held

#: Each takes memory for rows on their way into a table, and a login node has many cores.
THREADS = 2
Published = Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class News:
    """What a collection put into a database: shards by experiment, and texts about one of them.

    `stamp` is the text of its stamp, `failures` that of its failed points, and `damaged` are its
    shards without rows. `lacking` says of other experiments what is not in the database.
    """

    held: Mapping[str, Mapping[str, Held]]
    stamp: str
    failures: str | None
    damaged: Sequence[DamagedShard]
    lacking: Sequence[str]


def renew(
    database: Path, target: Path, experiment: str, results: Path, published: Published
) -> News:
    """Write to `target` what `database` holds, with `experiment` as it is on the disk now.

    Experiments that `database` lacks come in, those without a plan go. All are read from the disk
    where nothing can be added to `database`. Damaged shards are left out. Raises DamagedError for a
    damaged plan of `experiment`.
    """
    if is_own(database) and not holds_the_same(database):
        # Blocks that nobody reads here would be copied, and pass for whole from then on.
        print(f"weft: {database} was altered after it was written: it is made again",
              file=sys.stderr, flush=True)  # fmt: skip
    elif is_own(database):
        try:
            duplicate(database, target)
            return _write(target, experiment, results, published)
        except duckdb.OutOfMemoryException:
            # Anew it would need still more.
            raise
        except duckdb.Error as error:
            reason = str(error).splitlines()[0]
            print(f"weft: {database} cannot be changed ({reason}): building it anew",
                  file=sys.stderr, flush=True)  # fmt: skip
    discard(target)
    return _write(target, experiment, results, published)


def _write(target: Path, experiment: str, results: Path, published: Published) -> News:
    mine = look(experiment, results)
    held: dict[str, Mapping[str, Held]] = {experiment: mine.held()}
    with duckdb.connect(str(target), config={"threads": THREADS}) as con:
        create_tables(con)
        present, there = experiments(con), set(planned(results))
        lacking: list[str] = []
        others = _others(there - present - {experiment}, results, held, lacking)
        write(con, chain([mine], others), published, without=present - there | {experiment})
        con.execute("CHECKPOINT")
        con.register("outcomes", mine.outcomes())
        stamp, failures = stamp_text(con, mine, published), failures_text(con, experiment)
        news = News(held, stamp, failures, mine.damaged, lacking)
        wasteful = is_wasteful(con)
    if wasteful:
        compact(target)
    return news


def _others(
    names: Collection[str],
    results: Path,
    held: dict[str, Mapping[str, Held]],
    lacking: list[str],
) -> Iterator[Collected]:
    """The experiments, without what is damaged; one with damage loses its stamp.

    So its next run computes again what `lacking` says.
    """
    for name in sorted(names):
        held[name] = {}
        try:
            found = look(name, results)
        except ValueError as error:
            stamp_path(results, name).unlink(missing_ok=True)
            lacking.append(f"{name}: {error}; until then its rows are not in the database")
            continue
        if found.damaged:
            stamp_path(results, name).unlink(missing_ok=True)
        for shard in found.damaged:
            lacking.append(
                f"{name}: {shard.what}: the database lacks the rows of shard {shard.shard_id} "
                f"until `snakemake {page_name(name)}` computes it again"
            )
        held[name] = found.held()
        yield found
