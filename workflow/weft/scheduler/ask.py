"""Questions to programs of a batch system."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

PATIENCE_S = 10.0


def ask(command: Sequence[str], patience_s: float = PATIENCE_S) -> str | None:
    """What a command prints; None where it is absent, fails or takes too long."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=patience_s, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
