"""A user whom the machine has no name for, as in a container that was started with a number."""

import os
from getpass import getuser

import pytest
from weft.images.apptainer import _has_range
from weft.profile.user_name import name_the_user

from tests.workflow.conftest import ROOT

NOBODY_HAS = 1_999_999_999


@pytest.fixture(autouse=True)
def nameless(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(os, "getuid", lambda: NOBODY_HAS)


def test_a_user_without_a_name_goes_by_the_number() -> None:
    with pytest.raises((KeyError, OSError)):
        getuser()
    name_the_user()
    assert getuser() == str(NOBODY_HAS)


def test_a_name_in_the_environment_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "ada")
    name_the_user()
    assert getuser() == "ada"


def test_a_range_of_user_numbers_is_looked_up_without_a_name() -> None:
    assert _has_range() is False


def test_every_snakemake_here_names_the_user() -> None:
    assert "- name_the_user()" in (ROOT / "profiles" / "default" / "config.yaml").read_text()
