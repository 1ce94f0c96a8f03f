"""`profiles/cluster/status`: what became of a job, for batch systems that forget."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "profiles/cluster/status"


@pytest.fixture
def status(tmp_path):
    def ask(listing, end=None):
        folder = tmp_path / ".snakemake/cluster_ends"
        folder.mkdir(parents=True, exist_ok=True)
        if end:
            (folder / "17").write_text(f"{end}\n")
        # Words of the command arrive as they were written.
        check = '[ "$1 $2 $#" = "-u * 2" ] || exit 0'
        (tmp_path / "list").write_text(f"#!/bin/sh\n{check}\n{listing}\n")
        (tmp_path / "list").chmod(0o755)
        command = [SCRIPT, "./list", "-u", "*", "17.server"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    return ask


@pytest.mark.parametrize(
    ("listing", "end", "expected"),
    [
        ("echo ' 17 0.5 weft me r'", None, "running"),
        ("echo '17.server weft me'", None, "running"),
        ("exit 1", None, "running"),
        ("echo '117 weft'; echo '170 weft'; echo '17.server'", "success", "success"),
        ("exit 1", "failed", "failed"),
        ("echo '117 weft'; echo '170 weft'", None, "failed"),
    ],
)
def test_a_job_runs_while_it_is_listed_and_ends_as_it_wrote(status, listing, end, expected):
    assert status(listing, end) == expected
