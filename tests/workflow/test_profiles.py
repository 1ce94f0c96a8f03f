"""Which settings reach Snakemake: a user's own profile keeps its keys."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

ROOT = Path(__file__).parents[2]
SHOW = """
import json, sys
from snakemake.cli import parse_args
settings = parse_args(sys.argv[1:])[1]
def plain(value):
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    return str(value).split(" at 0x")[0]
print(json.dumps(vars(settings), default=plain))
"""
SITE = """
executor: slurm
jobs: 7
cores: 3
local-cores: 1
keep-going: false
retries: 5
latency-wait: 90
quiet: rules
sdm: env-modules
default-resources:
  slurm_account: mine
set-resources:
  simulate:
    mem_mb: 4000
set-threads:
  simulate: 8
"""


def settings(*arguments: str, folder: Path = ROOT, **environment: str) -> dict[str, object]:
    """What Snakemake makes of a command line."""
    kept = {name: text for name, text in os.environ.items() if name != "SNAKEMAKE_PROFILE"}
    done = subprocess.run(
        [sys.executable, "-c", SHOW, *arguments],
        cwd=folder,
        env=kept | {"PYTHONHASHSEED": "0"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "config.yaml").write_text(SITE)
    return tmp_path / "site"


@pytest.mark.parametrize("by", ["argument", "environment"])
def test_the_keys_of_a_users_own_profile_survive(site: Path, by: str) -> None:
    found = (
        settings("--profile", str(site))
        if by == "argument"
        else settings(SNAKEMAKE_PROFILE=str(site))
    )
    alone = settings("--profile", str(site), "--workflow-profile", "none")
    changed = {key for key in alone if found[key] != alone[key]} - {"workflow_profile"}
    kept = {"rerun_incomplete", "nolock", "max_checksum_file_size", "rerun_triggers", "logger"}
    kept.add("scheduler")
    assert changed == kept


def test_a_users_own_profile_takes_precedence_over_the_shipped_one(site: Path) -> None:
    found = settings("--profile", "slurm", "--profile", str(site))
    assert (found["jobs"], found["retries"], found["latency_wait"]) == (7, 5, 90)
    assert found["weft_slurm_silence_seconds"] == 600


def test_without_a_profile_the_machine_is_used_as_a_whole() -> None:
    found = settings()
    assert found["cores"] == len(os.sched_getaffinity(0))
    assert found["keep_going"] is True


def test_the_cores_of_a_login_node_limit_no_job() -> None:
    assert settings("--profile", "slurm")["cores"] is None


def test_profile_slurm_names_the_machine_and_a_config_keeps_it() -> None:
    found = settings("--profile", "slurm", "--config", "points=1")
    assert found["executor"] == "weft-slurm"
    assert found["configfile"] == ["slurm/weft.yaml"]
    assert (ROOT / "slurm/weft.yaml").read_text().endswith("machine: slurm\n")


def test_profile_apptainer_runs_here_in_images() -> None:
    found = settings("--profile", "profiles/apptainer")
    assert (found["executor"], found["cores"]) == (None, len(os.sched_getaffinity(0)))
    assert found["software_deployment_method"] == ["apptainer"]
