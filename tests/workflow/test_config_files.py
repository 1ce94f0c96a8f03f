"""A file of --configfile that cannot be read is one line, not Snakemake's traceback."""

import pytest
from snakemake.cli import get_argument_parser, get_profile_dir
from weft.profile.command_line import command_line
from weft.profile.config_files import check_config_files


def check(*words):
    """What a command says of its files and settings before it begins."""
    check_config_files(command_line(get_argument_parser, words), get_profile_dir)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with files of configuration and a profile, in which Snakemake would start."""
    for name in ("site.yaml", "profiles/ours/ours.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("machine: local\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "profiles/ours/config.yaml"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--configfile", "sight.yaml"), "sight.yaml: no such file or directory; did you mean"),
        (("--configfile=sight.yaml", "--cores", "1"), "did you mean 'site.yaml'?"),
        (("--configfile", "site.yaml", "profiles"), "--configfile profiles: is a directory"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(here, arguments, message):
    with pytest.raises(SystemExit, match=r"^weft: ") as ended:
        check("plan", "--dry-run", *arguments)
    assert message in str(ended.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("sight.yaml", ":3: configfile: sight.yaml: no such file or directory; did you mean"),
        ("[ours.yaml]", ":3: configfile: ours.yaml: no such file or directory"),
        ("\n  - site.yaml\n  - profiles", ":3: configfile: profiles: is a directory"),
    ],
)
def test_a_file_that_a_profile_names_is_named_with_its_line(here, value, message):
    here.write_text(f"cores: 1\n# The machine.\nconfigfile: {value}\n")
    with pytest.raises(SystemExit) as ended:
        check("plan", "--profile", "profiles/ours")
    assert str(ended.value).startswith(f"weft: profiles/ours/config.yaml{message}")


def test_a_file_that_the_second_of_two_profiles_names_is_named(here):
    here.write_text("configfile: sight.yaml\n")
    other = here.parents[1] / "other"
    other.mkdir()
    (other / "config.yaml").write_text("cores: 1\n")
    with pytest.raises(SystemExit, match=r"ours/config.yaml:1: configfile: sight.yaml: no such"):
        check("plan", "--profile", "profiles/other", "--profile", "profiles/ours")


@pytest.mark.slow
@pytest.mark.long("runs")
def test_it_is_one_line_and_not_the_traceback_of_snakemake(project):
    profile = project.folder / "profiles" / "ours"
    profile.mkdir(exist_ok=True)
    (profile / "config.yaml").write_text("configfile: sight.yaml\n")
    named = project.run("plan", "--dry-run", SNAKEMAKE_PROFILE="profiles/ours")
    assert "weft: profiles/ours/config.yaml:1: configfile: sight.yaml: no such" in named.output
    given = project.run("plan", "--dry-run", "--configfile", "sight.yaml")
    assert "weft: --configfile sight.yaml: no such file or directory" in given.output
    for done in (named, given):
        assert done.code == 1
        assert "Traceback" not in done.output


@pytest.mark.slow
@pytest.mark.long("runs")
def test_one_beside_the_profile_and_one_of_the_command_line_are_read(project):
    project.small("one", "[2]")
    profile = project.folder / "profiles" / "ours"
    profile.mkdir(exist_ok=True)
    (profile / "ours.yaml").write_text("overrides: [topology.nope=3]\n")
    (profile / "config.yaml").write_text("cores: 1\nconfigfile: ours.yaml\n")
    wanted = ("plan", "reports/one.html", "--dry-run", "--profile", "profiles/ours")
    assert "topology.nope" in project.run(*wanted).output
    # An option of the command line replaces the profile's key, so that its file is not opened.
    (profile / "config.yaml").write_text("cores: 1\nconfigfile: missing.yaml\n")
    (project.folder / "site.yaml").write_text("overrides: [topology.nope=3]\n")
    assert "topology.nope" in project.run(*wanted, "--configfile", "site.yaml").output


@pytest.mark.parametrize(
    ("words", "wrong"),
    [(["topology.k"], "topology.k"), (["machine=local", "strict"], "strict")],
)
def test_an_entry_of_config_without_a_value_is_named(words, wrong):
    with pytest.raises(SystemExit, match=f"^weft: --config {wrong}: write it as name=value"):
        check("plan", "--config", *words, "--cores", "1")


def test_entries_with_values_are_left_to_snakemake():
    check("plan", "-C", "strict=true", "overrides=[topology.k=2]")


def test_a_target_after_config_is_answered_with_its_place():
    words = ["--config", "from=archives/x.zip", "reports/x.html"]
    with pytest.raises(SystemExit) as ended:
        check(*words)
    right = "snakemake reports/x.html --config from=archives/x.zip"
    assert str(ended.value).endswith(f"a target stands before --config: {right}")
