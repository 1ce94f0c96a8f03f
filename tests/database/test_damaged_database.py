"""A database that is not what the last collection wrote: said, and made again."""

import os

import pytest
from weft.database import (
    DatabaseCondition,
    condition,
    database_damage,
    reading,
    stamp_path,
    with_whole_database,
)

from tests.database.test_collect import ROWS, finish, flip, plan, point, room

__all__ = ["room"]


def flip_unseen(path, place):
    """Change a bit of a file and keep its time."""
    times = path.stat()
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.slow
def test_a_damaged_block_is_not_copied_into_the_next_database(room, capfd):
    """Nobody reads it while another experiment is collected, and then the note would fit it."""
    for name, number in (("a", 1), ("b", 2)):
        finish(room.results, plan(name, [point(number)]))
    room("a")
    before = room("b", ROWS)
    database = room.results / "weft.duckdb"
    whole = database.stat().st_size
    capfd.readouterr()
    for place in range(whole // 16, whole, whole // 8):
        flip_unseen(database, min(place, database.stat().st_size - 1))
        assert room("b", ROWS) == before
        assert database_damage(database) is None
        said = f"weft: {database} was altered after it was written: it is made again\n"
        assert capfd.readouterr().err == said


@pytest.mark.slow
@pytest.mark.long("database")
def test_a_page_that_finds_the_database_damaged_makes_it_again(room, capfd):
    finish(room.results, plan("a", [point(1)]))
    before, database = room("a", ROWS), room.results / "weft.duckdb"
    stamp = stamp_path(room.results, "a").stat().st_mtime_ns
    for place in range(12_288, database.stat().st_size, 64):
        flip_unseen(database, place)
    found = []

    def make():
        with reading(database) as con:
            found.extend(con.execute(ROWS).fetchall())

    capfd.readouterr()
    with_whole_database(make, "a", room.results, room.papers, database)
    assert found == before
    said = capfd.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].startswith(f"weft: {database} is damaged (")
    assert said[0].endswith("): it is made again")
    assert stamp_path(room.results, "a").stat().st_mtime_ns == stamp, "pages stay newer"


@pytest.mark.parametrize("file", ["weft.duckdb", "weft.duckdb.json"])
@pytest.mark.parametrize("how", ["gone", "altered"])
def test_the_condition_of_the_database_names_what_is_not_whole(room, file, how):
    assert condition(room.results) == DatabaseCondition(whole=False)
    finish(room.results, plan("a", [point(1)]))
    room("a")
    assert condition(room.results) == DatabaseCondition(whole=True)
    path = room.results / file
    if how == "gone":
        path.unlink()
    else:
        flip(path)
        os.utime(path)
    found = condition(room.results)
    assert not found.whole
    assert found.damage is not None
    assert found.damage.startswith(f"{path} ")
