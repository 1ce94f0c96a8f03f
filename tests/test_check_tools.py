"""`envs/check_tools` names the tool that `make` lacks, in one line."""

import subprocess
from pathlib import Path

import pytest

from tests.people import AS_READER, need_root

ROOT = Path(__file__).parents[1]


def only_coreutils(folder: Path, *more: str) -> dict[str, str]:
    """An environment whose PATH holds the basic tools and executables called `more`."""
    for name in ("sh", "cut", "env"):
        (folder / name).symlink_to(
            f"/bin/{name}" if Path(f"/bin/{name}").exists() else f"/usr/bin/{name}"
        )
    for script in more:
        name, _, body = script.partition("=")
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    return {"PATH": str(folder)}


@pytest.mark.parametrize(
    ("tool", "present", "message"),
    [
        ("cargo", [], "weft: needs cargo 1.85 or newer, found none: install Rust"),
        ("cargo", ["cargo=echo 'cargo 1.84.1 (abc)'"], "needs cargo 1.85 or newer, found 1.84.1"),
        ("cc", [], "weft: needs a C compiler, found no 'cc': install gcc"),
        ("python", ["python3=exit 1"], "weft: needs Python 3.11 or newer with its venv module"),
    ],
)
def test_a_missing_tool_is_one_line(
    tool: str, present: list[str], message: str, tmp_path: Path
) -> None:
    environment = only_coreutils(tmp_path, *present)
    script = [ROOT / "envs" / "check_tools", tool]
    done = subprocess.run(script, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_root_has_built_is_named_with_its_owner(tmp_path: Path) -> None:
    need_root()
    (tmp_path / "simulators" / "target").mkdir(parents=True)
    script = ROOT / "envs" / "check_tools"
    done = subprocess.run(
        [*AS_READER, script, "own"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    said = "weft: cannot write to simulators/target, which belongs to root: sudo chown -R 61001 "
    assert done.stderr.startswith(f"{said}'{tmp_path}'")


def test_a_new_enough_cargo_passes(tmp_path: Path) -> None:
    environment = only_coreutils(tmp_path, "cargo=echo 'cargo 1.85.0 (abc)'")
    script = [ROOT / "envs" / "check_tools", "cargo"]
    assert subprocess.run(script, env=environment, check=False).returncode == 0
