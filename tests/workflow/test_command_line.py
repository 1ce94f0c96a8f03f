"""Snakemake's command line is read by Snakemake's own parser, once in a process."""

import pytest
from snakemake.cli import get_argument_parser
from weft.profile.command_line import command_line


@pytest.fixture(autouse=True)
def _unnamed(monkeypatch):
    """No profile but those that a test names, and nothing that another test asked."""
    monkeypatch.delenv("SNAKEMAKE_PROFILE", raising=False)
    command_line.cache_clear()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("b", "a", "--quiet", "all"), {"targets": ("a", "b")}),
        (("--cores=1", "--", "a"), {"targets": ("a",)}),
        (("-C", "x=1", "y=2"), {"settings": ("x=1", "y=2")}),
        (("--dry-r", "a"), {"looks": True, "dry_run": True}),
        (("--configfiles", "a.yaml", "b.yaml"), {"configfiles": ("a.yaml", "b.yaml")}),
        (("--profile", "one", "--profile=two"), {"profiles": ("one", "two")}),
        (("--profile", "none"), {"profiles": (), "names_a_place": True}),
        (("-e", "local"), {"profiles": (), "names_a_place": True}),
        (("--exec", "local"), {"names_a_place": True}),
        (("--nolock",), {"names_a_place": False, "looks": False}),
    ],
)
def test_words_mean_what_they_mean_to_snakemake(words, found):
    command = command_line(get_argument_parser, words)
    assert {name: getattr(command, name) for name in found} == found


def test_a_profile_of_the_environment_says_where_it_stands(monkeypatch):
    monkeypatch.setenv("SNAKEMAKE_PROFILE", "slurm")
    command = command_line(get_argument_parser, ("plan",))
    assert (command.profiles, command.profile_source) == (("slurm",), "SNAKEMAKE_PROFILE=")
    assert command.names_a_place
    given = command_line(get_argument_parser, ("plan", "--profile", "pbs"))
    assert (given.profiles, given.profile_source) == (("pbs",), "--profile ")


def test_a_process_parses_its_words_once():
    asked = []

    def parser():
        asked.append(1)
        return get_argument_parser()

    first = command_line(parser, ("plan", "-n"))
    assert command_line(parser, ("plan", "-n")) is first
    assert len(asked) == 1
