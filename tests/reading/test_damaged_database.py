"""A database that cannot be read: one sentence with the way out."""

import shutil
import subprocess
import sys

import pytest
from weft.database.whole import as_left
from weft.engines.memory import killed_by
from weft.read import Project, ReadError, answers

from tests.workflow.conftest import ROOT


@pytest.fixture
def harmed(project, tmp_path):
    """A copy whose database may be damaged."""
    for name in ("Snakefile", "configs"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(project.results, tmp_path / "results")
    assert len(answers("tori", tmp_path))
    return Project(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("place", [5000, "all", "cut"])
def test_answers_of_a_damaged_database_are_a_sentence(harmed, place):
    content = bytearray(harmed.database.read_bytes())
    if place == "cut":
        content = content[: len(content) // 2]
    else:
        for byte in [place] if place != "all" else range(12_288, len(content), 64):
            content[byte] ^= 1
    harmed.database.write_bytes(content)
    with pytest.raises(ReadError, match=r"weft\.duckdb is damaged .*`weft verify --repair`"):
        answers("tori", harmed)
    # Also where size and time are as before, the next run builds it anew.
    assert not as_left(harmed.database)


@pytest.mark.slow
def test_answers_beside_a_writer_are_a_sentence(harmed):
    holds = f"import duckdb, sys; con = duckdb.connect({str(harmed.database)!r}); print(flush=True)"
    words = [sys.executable, "-c", f"{holds}; sys.stdin.read()"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        writer.stdout.readline()
        with pytest.raises(ReadError, match="is open for writing in another program, which has to"):
            answers("tori", harmed)
        writer.stdin.close()
    assert len(answers("tori", harmed))


def test_a_kill_by_the_kernel_speaks_of_memory():
    assert killed_by(9).startswith("was killed by signal 9, most likely because memory ran out")
    assert "dmesg" in killed_by(9)
    assert killed_by(11) == "was killed by signal 11"
