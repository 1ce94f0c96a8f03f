"""Facts about the machine and the code that stand beside every run."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from weft.files.layout import CLONE
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


def git_words(project: Path) -> tuple[str, ...]:
    """What stands before the subcommand when git reads the folder `project`."""
    # People who share a clone use what another one owns. Its settings may run nothing here.
    return ("-c", f"safe.directory={project}", "-c", "core.fsmonitor=false", "-C", str(project))


def git_commit(project: Path = CLONE) -> str | None:
    """The checked-out commit of weft, with `-dirty` behind it when tracked files differ from it.

    None where no git tracks the folder `project`, also if it lies in a repository of others.
    """
    describe = ("describe", "--always", "--abbrev=40", "--dirty", "--exclude=*")
    try:
        for words in (("ls-files", "--error-unmatch", "Snakefile"), describe):
            done = subprocess.run(
                ["git", *git_words(project), *words], capture_output=True, text=True, check=True
            )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
