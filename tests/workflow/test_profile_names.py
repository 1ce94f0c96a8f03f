"""A mistyped profile is one message that names the profiles that are there."""

import subprocess
import sys
from pathlib import Path

import pytest
from snakemake.cli import get_argument_parser, get_profile_dir
from weft.profile.command_line import command_line
from weft.profile.profile_names import check_profiles, check_workflow_profile

ROOT = Path(__file__).parents[2]


def check(*words):
    """What a command says of its profiles before Snakemake starts."""
    # What the environment names is a part of it, and differs between tests.
    command_line.cache_clear()
    check_profiles(command_line(get_argument_parser, words), get_profile_dir)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with the shipped profiles, in which Snakemake would start."""
    for name in ("default", "cluster", "slurm"):
        (tmp_path / "profiles" / name).mkdir(parents=True)
        (tmp_path / "profiles" / name / "config.yaml").write_text("cores: 1\n")
    (tmp_path / "slurm").symlink_to("profiles/slurm")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "personal"))
    monkeypatch.delenv("SNAKEMAKE_PROFILE", raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "named", "near"),
    [
        (("--profile", "slrum"), "slrum", "slurm"),
        (("--profile=slrum", "plan"), "slrum", "slurm"),
        (("--profile", "slurm", "--profile", "mysit"), "mysit", "mysite"),
        (("--profile", "profiles/slrum"), "profiles/slrum", "slurm"),
        (("--profile", "cluster"), "cluster", "profiles/cluster"),
    ],
)
def test_a_profile_that_is_not_there_is_named_with_the_nearest(here, arguments, named, near):
    own = here / "personal" / "snakemake" / "mysite"
    own.mkdir(parents=True)
    (own / "config.yaml").write_text("cores: 1\n")
    with pytest.raises(SystemExit) as ended:
        check(*arguments)
    assert str(ended.value) == (
        f"weft: --profile {named}: unknown profile '{named}'; did you mean '{near}'? "
        "allowed: mysite, profiles/cluster, slurm, or the path of a folder with a config.yaml"
    )


def test_the_environment_may_name_the_profile(here, monkeypatch):
    monkeypatch.setenv("SNAKEMAKE_PROFILE", "slrum")
    with pytest.raises(SystemExit, match=r"weft: SNAKEMAKE_PROFILE=slrum: unknown profile 'slrum'"):
        check("plan")


@pytest.mark.parametrize("name", ["slurm", "profiles/cluster", "none"])
def test_a_profile_that_is_there_is_none_of_our_business(here, name):
    check("--profile", name)


def test_a_profile_of_the_workflow_that_is_not_there_is_a_mistake(here):
    for name in ("none", None, "profiles/slurm", "slurm", "cluster", "profiles/slurm/config.yaml"):
        check_workflow_profile(name)
    with pytest.raises(ValueError, match="--workflow-profile clustr: unknown profile") as wrong:
        check_workflow_profile("clustr")
    assert "did you mean 'profiles/cluster'?" in str(wrong.value)


@pytest.mark.slow
def test_the_launcher_says_it_before_snakemake_does():
    command = [sys.executable, "-m", "weft.launch", "--profile", "slrum", "--dry-run"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("weft: --profile slrum: unknown profile 'slrum'; did you mean")
    assert len(done.stderr.splitlines()) == 1
