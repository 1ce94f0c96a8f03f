"""Snakemake's cache goes into the project where the home folder takes no files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

#: Prints where the cache is; with an argument no file may become larger than so many bytes.
CHECK = """
import os, resource, signal, sys
from weft.prepare.cache_folder import insist_on_cache
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


@pytest.mark.parametrize("size", ["0", "4096"])
def test_a_home_whose_files_cannot_grow_has_no_cache(tmp_path: Path, size: str) -> None:
    """As on a full disk: folders can be made there, and files cannot be written."""
    assert cache(tmp_path, size) == str(tmp_path / ".snakemake" / "cache")
