"""A run that was killed can say nothing; the next one, and `weft status`, say it."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from weft.command.work import work_lines
from weft.prepare.state.killed_run import how_it_ended, words
from weft.prepare.state.locks import hold
from weft.read import Project

#: Holds the experiment `tori` until it gets a line; `end` ends it as `kill -9` does not.
RUN = """
import os, signal, sys
from pathlib import Path
from weft.prepare.state.locks import hold
from weft.prepare.state.killed_run import wiped_at_the_end
locks = hold(Path("results"), ["tori"])
wiped_at_the_end(locks)
if sys.argv[1] == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[1] == "closed":
    os.kill(os.getpid(), signal.SIGHUP)
if sys.argv[1] == "interrupted":
    from weft.interrupt import end_on_interrupt
    end_on_interrupt([])
    os.kill(os.getpid(), signal.SIGINT)
"""


def run(
    folder: Path, how: str, at_hangup: signal.Handlers = signal.SIG_DFL
) -> subprocess.CompletedProcess[str]:
    """A run as a shell starts it, or `nohup`, whatever pytest was started with."""
    return subprocess.run(
        [sys.executable, "-c", RUN, how],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, at_hangup),
    )


def status(folder: Path) -> Sequence[str]:
    return list(work_lines(Project(folder), None))


def test_the_next_run_and_the_status_name_a_run_that_was_killed(tmp_path: Path) -> None:
    assert run(tmp_path, "killed").returncode == -9
    _, line = status(tmp_path)
    assert "tori · the last run (process " in line
    assert "something killed it" in line
    assert "weft: tori: the last run (process " in run(tmp_path, "ended").stderr


def test_the_next_run_and_the_status_name_a_terminal_that_was_closed(tmp_path: Path) -> None:
    assert run(tmp_path, "closed").returncode == -signal.SIGHUP
    _, line = status(tmp_path)
    assert "did not end by itself: its terminal was closed; what it has finished stays" in line
    assert "its terminal was closed" in run(tmp_path, "ended").stderr


def test_a_run_that_ignores_the_end_of_its_terminal_goes_on(tmp_path: Path) -> None:
    assert run(tmp_path, "closed", signal.SIG_IGN).returncode == 0
    assert len(status(tmp_path)) == 1


@pytest.mark.parametrize("how", ["ended", "interrupted"])
def test_of_a_run_that_ended_by_itself_nothing_is_said(tmp_path: Path, how: str) -> None:
    run(tmp_path, how)
    assert len(status(tmp_path)) == 1
    assert "last run" not in run(tmp_path, "ended").stderr


def test_of_a_run_that_goes_on_nothing_is_said(tmp_path: Path) -> None:
    locks = hold(tmp_path / "results", ["tori"])
    assert len(status(tmp_path)) == 1
    assert "another weft is running tori (process " in run(tmp_path, "ended").stderr
    locks[0].close()


def test_memory_that_ran_out_meanwhile_is_the_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    counts = tmp_path / "vmstat"
    monkeypatch.setattr("weft.prepare.state.killed_run._COUNTS", counts)
    counts.write_text("pgfault 7\noom_kill 3\n")
    written = words("process 7 of me on here, since today")
    counts.write_text("pgfault 9\noom_kill 4\n")
    ended = how_it_ended(written) or ""
    assert "the kernel has killed a process because memory ran out" in ended


def test_a_lock_of_an_earlier_version_which_wiped_nothing_out_means_nothing() -> None:
    assert how_it_ended("process 7 of me on here, since yesterday\n") is None


def test_of_a_lock_that_holds_no_words_nothing_is_said(tmp_path: Path) -> None:
    lock = tmp_path / "results" / "tori" / ".lock"
    lock.parent.mkdir(parents=True)
    lock.write_bytes(b"\xff\x00{\n\x00")
    assert len(status(tmp_path)) == 1
    ended = run(tmp_path, "ended")
    assert (ended.returncode, ended.stderr) == (0, "")
