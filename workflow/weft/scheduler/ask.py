"""Questions to programs of a batch system."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

PATIENCE_S = 10.0
#: Variables with which users choose what Slurm's programs list and cancel. With them weft would not
#: see all of its own jobs.
USERS_FILTERS = ("SQUEUE_", "SINFO_", "SACCT_", "SCANCEL_")


def ask(command: Sequence[str], patience_s: float = PATIENCE_S) -> str | None:
    """What a command prints; None where it is absent, fails or takes too long."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(USERS_FILTERS)}
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=patience_s,
            check=False,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
