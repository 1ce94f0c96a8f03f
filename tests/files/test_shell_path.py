"""A clone in a folder whose path a shell divides is refused before anything is installed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from weft.files import need_plain_path

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("folder", ["Müller", "x-1.2_3+4@5=6,7%8~9"])
def test_letters_of_any_language_and_signs_that_no_shell_knows_pass(folder: str) -> None:
    need_plain_path(Path("/home") / folder / "python")


@pytest.mark.parametrize("folder", ["my clone", "it's", "a$b", "weft (2)", "a&b", "tab\there"])
def test_a_sign_of_the_shell_is_named(folder: str) -> None:
    with pytest.raises(ValueError, match=r"Snakemake cannot start jobs .* there is (a blank|'.')"):
        need_plain_path(Path("/home") / folder / "python")


def test_an_environment_in_such_a_folder_is_not_begun(tmp_path: Path) -> None:
    clone = tmp_path / "my clone"
    (clone / "envs").mkdir(parents=True)
    shutil.copy(ROOT / "envs" / "fill.py", clone / "envs")
    (clone / "workflow").symlink_to(ROOT / "workflow")
    command = [sys.executable, "envs/fill.py", ".venv", "touch", "begun"]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "move the clone to a folder without blanks" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (clone / "begun").exists()
