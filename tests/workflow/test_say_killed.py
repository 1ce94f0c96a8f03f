"""What a run that was killed cannot say itself, `make run` says."""

import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "envs" / "say_killed"


def _ended(command: str) -> tuple[int, str]:
    whole = f"sh -c '{command}' || {SCRIPT} $?"
    done = subprocess.run(["sh", "-c", whole], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_a_killed_run_keeps_its_code_and_gets_its_reason() -> None:
    code, said = _ended("kill -9 $$")
    assert code == 137
    assert "killed from outside, by the kernel if memory ran out" in said


def test_a_run_that_failed_has_spoken_for_itself() -> None:
    assert _ended("exit 1") == (1, "")
