"""What a job imports before its engine runs: every shard pays for it again."""

import subprocess
import sys

HEAVY = ("pydantic", "pint", "hydra", "snakemake")


def test_a_job_loads_nothing_that_only_checks_experiments() -> None:
    code = (
        "import sys, weft.engines.execute, weft.engines.native, weft.engines.hardware.engine\n"
        f"print(*[name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
