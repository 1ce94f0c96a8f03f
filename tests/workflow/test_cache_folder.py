"""Snakemake's cache goes into the project where the home folder takes no files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

#: Prints where the cache is; with an argument no file may become larger than so many bytes.
CHECK = """
import os, resource, signal, sys
from weft.profile.cache_folder import insist_on_cache
if len(sys.argv) > 1:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
insist_on_cache()
print(os.environ.get("XDG_CACHE_HOME", "at home"))
"""


def cache(folder: Path, *limit: str) -> str:
    command = [sys.executable, "-c", CHECK, *limit]
    home = {"HOME": str(folder / "home")}
    done = subprocess.run(command, cwd=folder, env=home, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_home_that_takes_files_has_the_cache(tmp_path: Path) -> None:
    assert cache(tmp_path) == "at home"


def test_a_home_that_takes_none_has_no_cache(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    assert cache(tmp_path) == str(tmp_path / ".snakemake" / "cache")


def test_a_disk_that_takes_folders_and_no_files_has_no_cache(tmp_path: Path) -> None:
    """As one that is full. Neither home nor project are used then."""
    found = Path(cache(tmp_path, "4096"))
    assert found.is_absolute()
    assert not found.is_relative_to(tmp_path)


def test_where_no_disk_takes_files_one_line_says_so(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as raised:
        cache(tmp_path, "0")
    [line] = raised.value.stderr.splitlines()
    assert line.startswith("weft: no file can be written at home, in this project or to the tem")


def test_a_cache_of_somebody_else_in_the_project_is_not_used(tmp_path: Path) -> None:
    """As for a second user, who may only read."""
    (tmp_path / "home").touch()
    (tmp_path / ".snakemake").mkdir()
    (tmp_path / ".snakemake" / "cache").touch()
    assert not Path(cache(tmp_path)).is_relative_to(tmp_path)
