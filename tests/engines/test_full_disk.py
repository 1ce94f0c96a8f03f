"""Programs of others on a full disk: their points have not failed, they are computed again."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from weft.database import collect
from weft.engines.external.answer import BrokenRunError, Usage, journal_line
from weft.engines.external.process import ExternalProgram
from weft.engines.hardware.engine import HardwareEngine
from weft.engines.journal import MetricLine, append, read_journal
from weft.engines.limits import PointLimits
from weft.engines.step import explain, step
from weft.machine import MachineFile
from weft.prepare.state.write_access import check_notes

from tests.database.changes import finish, simple_points
from tests.hardware.conftest import make_job, make_point  # noqa: F401
from tests.people import need_root

ANOTHER = {"point_id": "another", "digest": "another", "status": "done"}


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """A folder with no space but the rest of the journal's last block."""
    need_root()
    folder = tmp_path / "out"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no tmpfs: {done.stderr.strip()}")
    append(folder / "journal.jsonl", ANOTHER)
    with (folder / "filling").open("wb", buffering=0) as file:
        while True:
            try:
                file.write(bytes(4096))
            except OSError:
                break
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_program_of_others(full: Path) -> None:
    program = ExternalProgram("theirs")

    def answer(usage: Usage) -> list[MetricLine]:
        words = [sys.executable, "-c", "print('a long answer\\n' * 10_000, flush=True)"]
        usage.run(program, words, full / "theirs.log", PointLimits.of(MachineFile()))
        raise BrokenRunError("theirs ended without statistics", "")

    with pytest.raises(OSError, match="No space left") as raised:
        journal_line(make_point("here", [8]), answer, {}, full)
    assert raised.value.errno == errno.ENOSPC
    assert explain(raised.value, full) == (
        f"no space left on device while writing {full}: free some space, then run the same "
        "command again"
    )
    (full / "filling").unlink()
    line = journal_line(make_point("here", [8]), answer, {}, full)
    assert (line["status"], line["error"]) == ("failed", "theirs ended without statistics")


def test_an_error_that_names_no_file_names_the_folder() -> None:
    error = OSError(errno.ENOSPC, "Error writing bytes to file")
    assert "while writing below results/x: free" in explain(error, Path("results/x"))


def test_a_database_names_the_reason(full: Path, tmp_path: Path) -> None:
    database, log = full / "weft.duckdb", tmp_path / "collect.log"
    with pytest.raises(SystemExit), step(log), duckdb.connect(database) as connection:
        connection.execute("CREATE TABLE t AS SELECT i FROM range(1_000_000) AS t(i)")
    (line,) = log.read_text().splitlines()
    assert line.startswith("no space left on device while writing below ")


def test_a_collection_leaves_nothing_on_it(full: Path, tmp_path: Path) -> None:
    results, papers = tmp_path / "results", tmp_path / "papers"
    papers.mkdir()
    finish(results, "a", simple_points(2))
    (full / "filling").write_bytes(bytes(400_000))
    with pytest.raises(duckdb.Error, match="No space left"):
        collect("a", results, papers, full / "weft.duckdb")
    left = {path.name for path in full.iterdir()}
    assert left == {"journal.jsonl", "filling", "weft.duckdb.lock"}


def test_a_disk_with_room_for_a_word_alone_is_full(full: Path) -> None:
    filling = full / "filling"
    os.truncate(filling, filling.stat().st_size - (8 << 10))
    with pytest.raises(OSError, match="No space left on device; nothing was run"):
        check_notes(full)


def test_a_measurement(full: Path, make_job) -> None:  # noqa: F811
    job = make_job([make_point("here", [8])])
    with pytest.raises(OSError, match="No space left") as raised:
        HardwareEngine().run(job)
    assert raised.value.errno == errno.ENOSPC
    assert [line["point_id"] for line in read_journal(full / "journal.jsonl")] == ["another"]
    (full / "filling").unlink()
    HardwareEngine().run(job)
    lines = read_journal(full / "journal.jsonl")
    assert [(line["point_id"], line["status"]) for line in lines[1:]] == [("here", "done")]
