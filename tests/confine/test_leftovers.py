"""What a program closes to everybody is removed all the same."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from weft.confine import Limits, Sandbox, SandboxEnd, run
from weft.confine.sandbox import TEMPORARY

from tests.patience import PATIENCE_S
from tests.programs.simulator import BINARIES
from tests.programs.test_hostile import BODY, HEAD, point

ROOT = Path(__file__).parents[2]
#: Rights to look into every folder are gone in a sandbox, also for root.
CLOSED = "import os; os.makedirs('work/a/b/c'); os.chmod('work/a/b', 0); os.chmod('work/a', 0)"
REMOVED = {
    "folder": "from weft.files import remove_folder; from pathlib import Path; "
    "remove_folder(Path('work/a'))",
    "sweep": "from weft.confine import sweep; from pathlib import Path; "
    "sweep(Path('work'), [], [], 0)",
}


def within(work: Path, *command: str, **variables: str) -> SandboxEnd:
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    readable = [ROOT / "workflow", BINARIES]
    limits = Limits(wall_s=PATIENCE_S, processor_s=100)
    return run(Sandbox(work, readable=readable, variables=variables, limits=limits), command)


@pytest.mark.slow
@pytest.mark.parametrize("how", REMOVED)
def test_a_closed_folder_is_removed(tmp_path: Path, how: str) -> None:
    code = f"{CLOSED}; {REMOVED[how]}; assert not os.path.exists('work/a')"
    ended = within(tmp_path, sys.executable, "-c", code, PYTHONPATH=str(ROOT / "workflow"))
    assert ended.code == 0, ended.output.decode()


@pytest.mark.slow
def test_a_simulator_leaves_no_folder_of_a_program(tmp_path: Path) -> None:
    source = tmp_path / "bad.c"
    closes = 'mkdir("a", 0700); mkdir("a/b", 0700); umask(0777); mkdir("a/b/c", 0700);'
    source.write_text(HEAD + BODY % closes)
    points = [point(source, {}, {})]
    shard = {"schema": 1, "engine": "flow", "engine_version": "0", "shard": "s", "points": points}
    (tmp_path / "in.json").write_text(json.dumps(shard))
    (tmp_path / "tmp").mkdir()
    ended = within(
        tmp_path,
        *(str(BINARIES / "weft-flow"), "run", "--shard", "in.json", "--out", "out"),
        TMPDIR=str(tmp_path / "tmp"),
        WEFT_PROGRAM_CACHE=f"{TEMPORARY}/programs",
    )
    assert ended.code == 0, ended.output.decode()
    assert json.loads((tmp_path / "out" / "journal.jsonl").read_text())["status"] == "done"
    assert [*(tmp_path / "tmp").iterdir()] == []
