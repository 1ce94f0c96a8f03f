"""kill -9 while a collection is at work, and several collections at once."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time

import duckdb
import pytest
from weft.database import collect

from tests.database.changes import finish, simple_points

pytestmark = [pytest.mark.slow, pytest.mark.long("database")]

POINTS, OTHERS = 300, 100
KILLS = 12
SCRIPT = """
import sys
from pathlib import Path
from weft.database import collect
print("ready", flush=True)
collect(sys.argv[1], *map(Path, sys.argv[2:]))
"""


def rows(database):
    query = "SELECT experiment, count(*), sum(value) FROM answers GROUP BY ALL ORDER BY ALL"
    with duckdb.connect(str(database), read_only=True) as con:
        return con.execute(query).fetchall()


def start(places, name="a"):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, name, *map(str, places)], stdout=subprocess.PIPE
    )
    assert process.stdout.readline() == b"ready\n"
    return process


def test_a_killed_collection_leaves_a_whole_database(tmp_path):
    results = tmp_path / "results"
    database = results / "weft.duckdb"
    places = (results, tmp_path / "papers", database)
    finish(results, "b", simple_points(OTHERS), rows=100)
    finish(results, "a", simple_points(POINTS), rows=100)
    began = time.monotonic()
    start(places).communicate()
    longest_s = time.monotonic() - began
    dice, killed = random.Random(1), 0
    for turn in range(4 * KILLS):
        before = rows(database)
        finish(results, "a", simple_points(POINTS), value=turn + 2, rows=100)
        process = start(places)
        slept_s = dice.random() * longest_s
        time.sleep(slept_s)
        if process.poll() is None:
            killed += 1
        else:
            # Beside other work an earlier collection may have taken longer.
            longest_s = slept_s
        process.send_signal(signal.SIGKILL)
        process.communicate()
        found = rows(database)
        collect("a", *places)
        assert found in (before, rows(database))
        if turn >= KILLS and killed > KILLS / 4:
            break
    assert killed > KILLS / 4
    # What was left behind goes when it is old.
    for path in results.glob(".weft.duckdb.*"):
        os.utime(path, (0, 0))
    collect("a", *places)
    assert not list(results.glob(".weft.duckdb.*"))
    shutil.rmtree(results / "b")
    collect("a", *places)
    assert [row[0] for row in rows(database)] == ["a"]


def test_collections_of_several_experiments_at_once(tmp_path):
    results = tmp_path / "results"
    places = (results, tmp_path / "papers", results / "weft.duckdb")
    names = ["a", "b", "c", "d"]
    for name in names:
        finish(results, name, simple_points(OTHERS))
    collect("a", *places)
    for name in names:
        finish(results, name, simple_points(POINTS))
    for process in [start(places, name) for name in names]:
        process.communicate()
        assert process.returncode == 0
    assert [row[:2] for row in rows(places[-1])] == [(name, POINTS) for name in names]
