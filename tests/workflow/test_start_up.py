"""What every `snakemake` command does before its first job stays small."""

import re
import subprocess
import sys

import pytest

PROBE = """
import gc, sys
from pathlib import Path
import yaml
profile = next(Path("profiles/default").glob("config*.yaml")).read_text()
written = profile.partition("__definitions__:")[2].partition("\\nrerun")[0]
sys.argv = ["snakemake", "-n"]
for line in yaml.safe_load(written):
    exec(line)
print(gc.get_threshold()[0], gc.get_freeze_count())
"""


@pytest.mark.slow
def test_the_profile_makes_python_collect_rarely():
    found = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, check=True
    ).stdout
    threshold, frozen = map(int, re.findall(r"\d+", found))
    assert threshold > 50_000
    assert frozen > 10_000
