"""Crates that images are built with are fetched once for all."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from weft.images.vendor import vendor

from tests.patience import PATIENCE_S

#: Fetches one crate; two of them end at the same time.
CARGO = """#!/bin/sh
if [ "$1" = --version ]; then
    echo cargo 1.90.0
    exit
fi
for folder; do :; done
mkdir "$folder/libc"
touch "fetched-$$"
until [ "$(ls | grep -c fetched-)" = 2 ]; do sleep 0.01; done
"""


def test_builds_that_fetch_the_same_crates_at_the_same_time_share_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "Cargo.lock").write_text("version = 4\n")
    cargo = tmp_path / "bin" / "cargo"
    cargo.parent.mkdir()
    cargo.write_text(CARGO)
    cargo.chmod(0o755)
    monkeypatch.setenv("PATH", f"{cargo.parent}{os.pathsep}{os.environ['PATH']}")
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(vendor, Path("app"), tmp_path, pytest.fail) for _ in range(2)]
        one, other = [each.result(timeout=PATIENCE_S) for each in asked]
    assert one == other
    assert [each.name for each in one.iterdir()] == ["libc"]
    assert list(one.parent.iterdir()) == [one]
