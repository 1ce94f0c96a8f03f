"""Facts about the machine and the code that stand beside every run."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import Any

from weft.machine import cpu_model
from weft.scheduler import scheduler_here


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """Where and with which code a run happened."""

    host: str
    git_commit: str | None
    environment: dict[str, Any]


@cache
def machine_facts() -> MachineFacts:
    """The facts of this process's machine."""
    environment = {
        "cpu": cpu_model(),
        "cpus": os.cpu_count(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "job": scheduler_here().own_job_id(),
    }
    return MachineFacts(platform.node(), git_commit(), environment)


def git_commit() -> str | None:
    """The checked-out commit, with `-dirty` behind it when tracked files differ from it."""
    command = ["git", "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
