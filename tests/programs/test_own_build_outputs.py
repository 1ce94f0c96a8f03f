"""The commands of a suite make all its programs once."""

import shutil
from pathlib import Path

import pytest
from weft.engines.failed_builds import NotBuiltError

from tests.programs.test_own_build import RING, build_of, made

pytestmark = [pytest.mark.slow, pytest.mark.long("programs")]


def logs(project: Path) -> dict[Path, int]:
    """Of every build the time of its log."""
    return {path: path.stat().st_mtime_ns for path in (project / "cache").glob("*/build.log")}


def test_all_programs_of_the_same_commands_are_built_once(tmp_path: Path) -> None:
    shutil.copytree(RING, tmp_path / "configs" / "experiment" / "ring")
    command = [["make"], ["cp", "bin/ring", "bin/second"], ["ln", "-s", "ring", "bin/third"]]
    first = made(tmp_path, build_of(tmp_path, {"command": command}))
    begun = logs(tmp_path)
    second = made(tmp_path, build_of(tmp_path, {"command": command, "executable": "bin/second"}))
    assert second.read_bytes() == first.read_bytes()
    with pytest.raises(NotBuiltError, match="bin/third: it is a symbolic link"):
        made(tmp_path, build_of(tmp_path, {"command": command, "executable": "bin/third"}))
    assert logs(tmp_path) == begun


@pytest.mark.parametrize("content", [None, b"", b"altered"])
def test_a_program_that_is_not_what_was_made_is_made_again(
    tmp_path: Path, content: bytes | None
) -> None:
    shutil.copytree(RING, tmp_path / "configs" / "experiment" / "ring")
    program = made(tmp_path, build_of(tmp_path, {}))
    whole = program.read_bytes()
    if content is None:
        program.unlink()
    else:
        program.write_bytes(content)
    assert made(tmp_path, build_of(tmp_path, {})).read_bytes() == whole
