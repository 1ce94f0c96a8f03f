"""Tests whose tools a machine lacks: skipped and counted, with the command that installs them."""

import re
from pathlib import Path

import pytest

from tests.missing import INSTALLS, missing, skipped_lines

ROOT = Path(__file__).parents[1]


def test_the_last_lines_count_by_reason_and_name_the_command() -> None:
    lacks = "bubblewrap: bwrap is not installed (Debian's package bubblewrap)"
    recorded = "runs: recorded on 2026-01-01 for this code"
    assert skipped_lines(["one processor only", lacks, recorded, lacks]) == [
        f"skipped: 2 × {lacks}: apt-get install bubblewrap",
        "skipped: 1 × one processor only",
    ]


def test_what_one_command_installs_is_counted_once() -> None:
    lacks = "bubblewrap: bwrap is not installed (Debian's package bubblewrap)"
    others = ["bwrap is not installed", "bubblewrap is not installed", lacks]
    assert skipped_lines([lacks, "no PostgreSQL here", *others]) == [
        f"skipped: 4 × {lacks}: apt-get install bubblewrap",
        "skipped: 1 × no PostgreSQL here: apt-get install postgresql",
    ]


def test_a_bubblewrap_that_refuses_is_not_to_be_installed_again() -> None:
    """Its own words say why it refuses; another copy would refuse as well."""
    for said in ("Unexpected capabilities but not setuid", "No permissions to create namespace"):
        [line] = skipped_lines([f"bubblewrap: bwrap: {said}"])
        assert line == f"skipped: 1 × bubblewrap: bwrap: {said}"


def test_a_missing_part_is_a_failure_in_ci_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception):
        missing("no PostgreSQL here")
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception):
        missing("no PostgreSQL here")


def test_ci_installs_what_the_commands_name() -> None:
    ci = (ROOT / "envs/test_machine.apt").read_text().split()
    # Not in every Debian, and none of the least that a test needs.
    others = {"gridengine-master", "gridengine-exec", "gridengine-client", "cmake", "binutils"}
    named = {word for how in INSTALLS.values() if "apt-get" in how for word in how.split()[2:]}
    assert named - others <= set(ci)


def test_every_reason_of_a_missing_program_has_a_command() -> None:
    """Also where a reason has the name in a variable, the rest of it says what it is about."""
    tests = [path for path in (ROOT / "tests").rglob("*.py") if path.name != Path(__file__).name]
    calls = re.compile(r"""(?<!def )\bmissing\(\s*f?"([^"]*)"\s*\)""")
    reasons = {reason for path in tests for reason in calls.findall(path.read_text())}
    plain = {each for each in reasons if "{" not in each}
    assert len(plain) > 5
    without = [each for each in sorted(plain) if not skipped_lines([each])[0].count(": ") > 1]
    assert without == []
