"""What Slurm says about a job that is gone."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

PATIENCE_S = 10
#: States of a job that has not ended, or whose end is not known yet.
OPEN = ("PENDING", "RUNNING", "REQUEUED", "COMPLETING", "CONFIGURING", "UNKNOWN")
#: The end of a job that Slurm takes for a good one: it tells nothing of what ran in it.
GOOD = "COMPLETED"


@dataclass(frozen=True, slots=True)
class SlurmState:
    """How a job ended (`OUT_OF_MEMORY`, `TIMEOUT`, `NODE_FAIL` …; empty: well), on which nodes."""

    state: str
    nodes: str


def own_job_id() -> str | None:
    """The Slurm job that this process belongs to, None outside of any.

    A task of an array is `<array>_<task>`: under its bare number the last task is the whole array.
    """
    array, task = os.environ.get("SLURM_ARRAY_JOB_ID"), os.environ.get("SLURM_ARRAY_TASK_ID")
    return f"{array}_{task}" if array and task else os.environ.get("SLURM_JOB_ID")


def slurm_state(job_id: str) -> SlurmState | None:
    """Ask the controller, which forgets soon, then the accounting, which many sites lack.

    None when neither knows of an end; it never raises, for this is a comfort.
    """
    told = _from_controller(job_id)
    return told if told and told.state else _from_accounting(job_id) or told


def _from_controller(job_id: str) -> SlurmState | None:
    answer = ask_slurm(["scontrol", "--oneliner", "show", "job", job_id])
    facts = dict(re.findall(r"(\w+)=(\S*)", answer.splitlines()[0])) if answer else {}
    return _told(facts.get("JobState", ""), facts.get("NodeList", ""))


def _from_accounting(job_id: str) -> SlurmState | None:
    command = ["sacct", "--noheader", "--parsable2", "--allocations", "--jobs", job_id]
    answer = ask_slurm([*command, "--format=State,NodeList"])
    state, _, nodes = answer.splitlines()[-1].partition("|") if answer else ("", "", "")
    return _told(state, nodes)


def _told(state: str, nodes: str) -> SlurmState | None:
    words = state.split()
    if not words or words[0] in OPEN:
        return None
    return SlurmState(
        "" if words[0] == GOOD else words[0], "" if nodes in ("(null)", "None assigned") else nodes
    )


def ask_slurm(command: Sequence[str]) -> str:
    """What a command of Slurm prints; nothing where it is absent, fails or takes too long."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
