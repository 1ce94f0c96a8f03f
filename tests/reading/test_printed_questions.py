"""What the documents print for asking a database gives answers in a real one."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from weft.command.commands import main

from tests.documents import Command, all_commands

pytestmark = pytest.mark.slow

PRINTED = list({command.text: command for command in all_commands()}.values())
PYTHON = [c for c in PRINTED if c.program == "python" and "duckdb" in c.text]
#: What writes and runs has tests of its own, and what stands for the reader's own is not there.
OTHERS = {"new", "run", "trace", "compare", "permutations", "DIR", "x", "…"}
WEFT = [c for c in PRINTED if c.program == "weft" and not OTHERS & set(c.words)]


@pytest.fixture
def folder(with_quickstart, tmp_path, monkeypatch) -> Path:
    """A folder of one's own with the results of the project in it."""
    (tmp_path / "results").symlink_to(with_quickstart.root / "results")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", PYTHON, ids=str)
def test_a_documented_question_in_python_is_answered(folder, command: Command):
    typed = command.text.replace(".venv/bin/python", sys.executable, 1)
    done = subprocess.run(["bash", "-ec", typed], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "engine" in done.stdout


@pytest.mark.parametrize("command", WEFT, ids=str)
def test_a_documented_question_of_weft_is_answered(with_quickstart, folder, command: Command):
    words = ["--project", str(with_quickstart.root), *command.words[1:]]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert done.output


def test_documented_questions_are_found():
    assert len(PYTHON) >= 2
    assert len(WEFT) >= 4
