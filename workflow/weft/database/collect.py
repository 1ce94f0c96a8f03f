"""Brings an experiment into `results/weft.duckdb`, as its only writer."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from weft.database.files import DamagedShard
from weft.database.leftovers import clear, discard
from weft.database.published import published_rows
from weft.database.renew import News, renew
from weft.database.stamp import stamp_path
from weft.database.whole import lock_path, note
from weft.files import open_lock, replace_changed, replacing, take_lock
from weft.files.layout import Results
from weft.plan.outcome import DamagedError
from weft.plan.outcomes import write_held


def collect(experiment: str, results: Path, papers: Path, database: Path) -> None:
    """Replace `database` by one that holds `experiment` as it is on the disk.

    Rows of other experiments stay as they were collected. Writes the stamp of `experiment`: its
    text changes only with that experiment's rows, so that another experiment's news do not rebuild
    its report. Prints which of its points failed and why, and what the database lacks of others.

    Raises DamagedError for a damaged file of `experiment`. Its other shards are then in the
    database, and the next run computes the damaged ones again.
    """
    with _writer(database):
        news = _renewed(experiment, results, papers, database)
        # Before the note: after a kill in between, the next run builds the database anew.
        for name, shards in news.held.items():
            write_held(Results(results).experiment(name).path, shards)
        note(database)
    for text in news.lacking:
        print(f"weft: {text}", file=sys.stderr, flush=True)
    _refuse(news.damaged)
    # Where it says the same, pages that are made of it stay newer.
    replace_changed(stamp_path(results, experiment), news.stamp)
    if news.failures:
        print(news.failures, file=sys.stderr, flush=True)


def _refuse(damaged: Sequence[DamagedShard]) -> None:
    """Raise DamagedError for shards without rows, which the next run computes again."""
    for shard in damaged:
        if not shard.altered:
            shard.folder.status.unlink(missing_ok=True)
    if damaged:
        found = "; ".join(each.what for each in damaged)
        names = ", ".join(each.shard_id for each in damaged)
        noun = "shard" if len(damaged) == 1 else "shards"
        raise DamagedError(
            found, f"the same command, run again, computes {noun} {names} again, and nothing else"
        )


@contextmanager
def _writer(database: Path) -> Iterator[None]:
    """Let only one process build the database at a time; others wait."""
    database.parent.mkdir(parents=True, exist_ok=True)
    with open_lock(lock_path(database)) as lock:
        if not take_lock(lock):
            print(f"weft: waiting while {database} is written", file=sys.stderr, flush=True)
            take_lock(lock, wait=True)
        clear(database)
        yield


def _renewed(experiment: str, results: Path, papers: Path, database: Path) -> News:
    published = list(published_rows(papers))
    with replacing(database) as target, _discarded_on_failure(target):
        while True:
            discard(target)
            before = _identity(database)
            news = renew(database, target, experiment, results, published)
            # Without locks another writer may have been quicker: its rows are not in the copy.
            if _identity(database) == before:
                return news


@contextmanager
def _discarded_on_failure(target: Path) -> Iterator[None]:
    """Leave nothing of a failed collection: a full disk needs the room."""
    try:
        yield
    except BaseException:
        discard(target)
        raise


def _identity(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
