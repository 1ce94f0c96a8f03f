"""What a run with sudo has left is named with the command that gives it back."""

import subprocess
import sys
from pathlib import Path

from tests.people import AS_READER, need_root

CHECK = (
    "from pathlib import Path\n"
    "from weft.prepare.state.write_access import check_notes\n"
    "check_notes(Path())"
)


def test_a_folder_of_root_is_named_with_chown(tmp_path: Path) -> None:
    need_root()
    (tmp_path / ".snakemake" / "log").mkdir(parents=True)
    command = [*AS_READER, sys.executable, "-c", CHECK]
    done = subprocess.run(
        command, cwd=tmp_path, env={}, capture_output=True, text=True, check=False
    )
    said = done.stderr.splitlines()[-1]
    assert f"cannot write to {tmp_path}/.snakemake/log: Permission denied" in said
    assert f"root owns it, as after sudo: `sudo chown -R 61001 {tmp_path}`" in said
