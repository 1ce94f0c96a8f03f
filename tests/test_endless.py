"""A test that waits without an end fails by its name, and the others run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[1]
TESTS = """\
import threading
import time

import pytest


@pytest.fixture
def held():
    yield
    threading.Event().wait()


def test_that_waits():
    threading.Event().wait()


def test_whose_fixture_waits(held):
    pass


def test_that_ends():
    time.sleep(0.1)
"""


@pytest.mark.slow
def test_an_endless_test_is_named_and_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-n", "1", "-p", "tests.conftest", "-rA"]
    done = subprocess.run(
        [*command, f"--rootdir={tmp_path}", "-c", os.devnull, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "WEFT_MOST_S_OF_A_TEST": "3"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    for name in ("test_that_waits", "test_whose_fixture_waits"):
        assert f"crashed while running 'test_some.py::{name}'" in done.stdout, done.stdout
    # Each of the others once: the second of these two passes before its fixture waits.
    assert "2 failed, 2 passed" in done.stdout
    # Where it waited.
    assert "in test_that_waits" in done.stderr
