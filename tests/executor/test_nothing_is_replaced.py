"""weft changes no function of what it depends on."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
#: Every function and class of Snakemake and its plugins before and after a command.
PROBE = """
import inspect, sys
import snakemake_executor_plugin_slurm, snakemake_executor_plugin_slurm_jobstep
from snakemake import cli

def callables():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.split("_")[0].split(".")[0] != "snakemake" or "weft" in name:
            continue
        for key, value in list(vars(module).items()):
            if inspect.isfunction(value) or inspect.isclass(value):
                found[name, key] = value
            if inspect.isclass(value) and value.__module__.startswith("snakemake"):
                members = [(k, v) for k, v in vars(value).items() if callable(v)]
                found |= {(value.__module__, value.__name__, k): v for k, v in members}
    return found

before = callables()
sys.argv = ["snakemake", "--profile", "slurm", "--dry-run", "--quiet", "all",
            "--", "reports/quickstart.html"]
try:
    cli.main(sys.argv[1:])
except SystemExit as end:
    assert not end.code, end.code
after = callables()
print([key for key in before if after[key] is not before[key]])
"""


def test_no_function_of_a_dependency_is_replaced():
    command = [sys.executable, "-c", PROBE]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
