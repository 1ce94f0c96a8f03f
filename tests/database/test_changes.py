"""A collection changes what is new, and leaves what building anew would give."""

import importlib
import os
import random
import shutil
import subprocess
import sys

import duckdb
import pytest
from weft.database import collect, stamp_path

from tests.database.changes import change, finish, simple_points

#: The module; the package has a function of this name.
COLLECT = importlib.import_module("weft.database.collect")


@pytest.fixture
def room(tmp_path):
    """The folder `results`; called with a name it collects that experiment."""
    results = tmp_path / "results"

    def collected(name, database=results / "weft.duckdb"):
        collect(name, results, tmp_path / "papers", database)
        return contents(database)

    collected.results, collected.database = results, results / "weft.duckdb"
    return collected


def contents(database):
    """Columns and rows of every table and view; columns are in order where people see them."""
    with duckdb.connect(str(database), read_only=True) as con:
        names = [name for (name,) in con.execute("SHOW TABLES").fetchall()]
        return {name: described(con, name) for name in names}


def described(con, name):
    columns = con.execute(f"SELECT column_name, column_type FROM (DESCRIBE {name})").fetchall()
    listed = ", ".join(f'"{column}"' for column, _ in sorted(columns))
    rows = con.execute(f"SELECT {listed} FROM {name} ORDER BY ALL").fetchall()
    return columns if name == "answers" else sorted(columns), rows


def experiments(found, table="metrics"):
    columns, rows = found[table]
    place = [name for name, _ in sorted(columns)].index("experiment")
    return sorted({row[place] for row in rows})


#: A few seeds take long; the first one is always there.
MORE = [pytest.mark.slow, pytest.mark.long("database")]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=MORE) for seed in range(1, 4))])
def test_after_any_changes_the_database_is_as_if_built_anew(room, tmp_path, seed):
    dice = random.Random(seed)
    for step in range(10):
        name = change(dice, room.results)
        changed = room(name)
        stamp = stamp_path(room.results, name).read_text()
        assert changed == room(name, tmp_path / f"{step}" / "weft.duckdb")
        assert stamp_path(room.results, name).read_text() == stamp


@pytest.mark.slow
def test_what_is_not_collected_is_not_read(room):
    finish(room.results, "a", simple_points(2))
    finish(room.results, "b", simple_points(2))
    before = room("a")
    for path in (room.results / "a").rglob("*.parquet"):
        path.unlink()
    finish(room.results, "b", simple_points(3))
    after = room("b")
    assert experiments(after) == ["a", "b"]
    assert [row for row in after["metrics"][1] if "a" in row] == [
        row for row in before["metrics"][1] if "a" in row
    ]


@pytest.mark.slow
def test_an_experiment_without_a_plan_goes_and_one_that_is_new_comes(room):
    finish(room.results, "a", simple_points(2))
    room("a")
    finish(room.results, "b", simple_points(2))
    finish(room.results, "c", simple_points(2))
    shutil.rmtree(room.results / "a")
    assert experiments(room("b")) == ["b", "c"]


@pytest.mark.slow
def test_rows_of_other_code_are_not_added_to(room, monkeypatch):
    finish(room.results, "a", simple_points(2))
    finish(room.results, "b", simple_points(2))
    before = room("a")
    finish(room.results, "a", simple_points(2), value=7.0)
    assert room("b") == before
    monkeypatch.setattr("weft.database.whole.writer", lambda: "other")
    assert room("b") != before


@pytest.mark.slow
def test_without_memory_nothing_is_built_anew(room, capsys, monkeypatch):
    finish(room.results, "a", simple_points(2))
    room("a")
    whole = room.database.read_bytes()

    def hungry(*_):
        raise duckdb.OutOfMemoryException("Out of Memory Error: Allocation failure")

    monkeypatch.setattr("weft.database.renew._write", hungry)
    with pytest.raises(duckdb.OutOfMemoryException):
        room("a")
    assert "anew" not in capsys.readouterr().err
    assert room.database.read_bytes() == whole


@pytest.mark.slow
def test_a_database_that_cannot_be_read_is_built_anew(room, capsys):
    finish(room.results, "a", simple_points(2))
    finish(room.results, "b", simple_points(2))
    before = room("a")
    whole = room.database.stat()
    content = bytearray(room.database.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    room.database.write_bytes(content)
    # As a bad disk would do it, which leaves size and time.
    os.utime(room.database, ns=(whole.st_atime_ns, whole.st_mtime_ns))
    assert room("b") == before
    assert "was altered after it was written: it is made again" in capsys.readouterr().err


@pytest.mark.slow
def test_the_file_does_not_grow_with_collections(room):
    for name in ("a", "b", "c"):
        finish(room.results, name, simple_points(50), rows=200)
        room(name)
    once = room.database.stat().st_size
    for turn in range(12):
        finish(room.results, "b", simple_points(50), value=turn, rows=200)
        room("b")
    assert room.database.stat().st_size < 4 * once


@pytest.mark.slow
def test_the_room_of_what_is_gone_is_given_back(room):
    finish(room.results, "large", simple_points(100), rows=25_000)
    finish(room.results, "small", simple_points(2))
    collect("small", room.results, room.results / "papers", room.database)
    large = room.database.stat().st_size
    assert large > 2**24
    shutil.rmtree(room.results / "large")
    assert experiments(room("small"), "answers") == ["small"]
    assert room.database.stat().st_size < large / 4


@pytest.mark.slow
def test_a_quicker_writer_is_not_overwritten_where_there_are_no_locks(room, monkeypatch, tmp_path):
    finish(room.results, "a", simple_points(2))
    finish(room.results, "b", simple_points(2))
    room("a")
    finish(room.results, "a", simple_points(3))
    finish(room.results, "b", simple_points(3))
    places = [str(room.results), str(tmp_path / "papers"), str(room.database)]
    script = (
        "import sys, importlib; from pathlib import Path\n"
        "module = importlib.import_module('weft.database.collect')\n"
        "module.take_lock = lambda *_, **__: True\n"
        "module.collect('b', *map(Path, sys.argv[1:]))\n"
    )
    renew, calls = COLLECT.renew, []

    def slow(*arguments):
        news = renew(*arguments)
        calls.append(news)
        if len(calls) == 1:
            subprocess.run([sys.executable, "-c", script, *places], check=True)
        return news

    monkeypatch.setattr(COLLECT, "renew", slow)
    rows = room("a")["metrics"][1]
    assert len(calls) == 2
    assert len(rows) == 6
