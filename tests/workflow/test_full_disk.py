"""A table that meets a full disk: its point has not failed and is computed again later."""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S, wait_until
from tests.workflow.conftest import ROOT, Project

pytestmark = [
    pytest.mark.slow,
    pytest.mark.long("runs"),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a tmpfs"),
]

#: The first point is small, so that the journal exists, with room left in its last block.
LISTS = """
title: Filled
question: Is a full disk no failure of a point?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [{engine}]
engine: {{{engine}: {{tables: [messages]}}}}
topology: {{dimensions: 2}}
workload: {{per_node: 60}}
sweep:
  topology.k: [3, 16]
"""
PROGRAM = """
title: Filled
question: Is a full disk no failure of a point?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: alltoall
engines: [{engine}]
engine: {{{engine}: {{tables: [{table}]}}}}
topology: {{dimensions: 2, k: 8}}
workload: {{message_size: 4 B}}
sweep:
  workload.ranks: [4, 64]
"""
CASES = {
    "flow": (LISTS.format(engine="flow"), r"flow/\w+/messages-\w+\.csv"),
    "packet": (LISTS.format(engine="packet"), r"packet/\w+/messages-\w+\.csv"),
    "a program's messages": (
        PROGRAM.format(engine="rdma", table="messages"),
        r"rdma/\w+/messages-\w+\.csv",
    ),
    "a program's history": (
        PROGRAM.format(engine="rdma", table="history"),
        r"rdma/\w+/history-\w+\.json",
    ),
}


@pytest.fixture
def disk(project: Project) -> Iterator[Callable[[str], None]]:
    """Gives the results folder a size."""
    folder = project.folder / "results"
    folder.mkdir(exist_ok=True)
    mounted = False

    def size(size: str) -> None:
        nonlocal mounted
        options = f"remount,size={size}" if mounted else f"size={size}"
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"no tmpfs: {done.stderr.strip()}")
        mounted = True

    yield size
    if mounted:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("case", CASES)
def test_a_table_on_a_full_disk(
    project: Project, disk: Callable[[str], None], case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, file = CASES[case]
    for name in ("FLOW", "PACKET", "RDMA"):
        binary = ROOT / "simulators" / "target" / "release" / f"weft-{name.lower()}"
        monkeypatch.setitem(project.environment, f"WEFT_{name}", str(binary))
    project.write("filled", text)
    disk("224k")
    outcome = project.collect("filled")
    print(outcome.output)
    assert outcome.code == 1, outcome.output
    assert "Traceback" not in outcome.output
    [message] = [line for line in outcome.output.splitlines() if "no space left" in line.lower()]
    where = f"no space left on device while writing results/filled/{file}: free some space"
    assert re.search(where, message), message
    disk("64m")
    again = project.collect("filled")
    assert again.code == 0, again.output
    stamp = project.stamp("filled")
    assert (stamp["done"], stamp["failed"]) == (2, 0)


@pytest.fixture
def aside(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A small folder for temporary files."""
    folder = tmp_path / "aside"
    folder.mkdir()

    def size(size: str) -> Path:
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"no tmpfs: {done.stderr.strip()}")
        return folder

    yield size
    if os.path.ismount(folder):
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_folder_for_temporary_files(project: Project, aside: Callable[[str], Path]) -> None:
    project.small("aside", [2])
    folder = aside("64k")
    full = project.collect("aside", TMPDIR=str(folder))
    assert full.code == 1
    assert full.output.splitlines()[-1] == (
        f"weft: cannot write temporary files to {folder}: No space left on device; nothing was "
        "run; free some space there, or set TMPDIR to another folder"
    )
    assert "Traceback" not in full.output


def test_a_folder_for_temporary_files_that_fills_during_a_run(
    project: Project, aside: Callable[[str], Path]
) -> None:
    project.small("aside", [2, 3])
    folder = aside("2m")
    run = project.start("reports/aside.html", TMPDIR=str(folder))
    wait_until((project.folder / "results/aside/.lock").exists)
    with suppress(OSError), (folder / "of others").open("wb") as file:
        while True:
            file.write(bytes(4096))
    output, _ = run.communicate(timeout=PATIENCE_S)
    assert "Traceback" not in output
    assert run.returncode == 0, output
    assert not list(folder.glob("*.mps"))
