"""Slurm: what its programs say about jobs and partitions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from weft.scheduler.ask import ask
from weft.scheduler.base import JobEnd, RequestLimits
from weft.scheduler.slurm_states import Phase, phase_of

#: Seconds that a busy controller may need for a list of jobs.
LIST_PATIENCE_S = 60.0
#: `[days-][[hours:]minutes:]seconds`, as sinfo writes it.
DURATION = re.compile(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class JobState:
    """State of a job and, of one that waits, the reason."""

    state: str
    reason: str = ""


class Slurm:
    """Slurm as a `Scheduler`."""

    name = "Slurm"
    batch = True

    def own_job_id(self) -> str | None:
        """The number of this process's job."""
        return os.environ.get("SLURM_JOB_ID")

    def end_of(self, job_id: str) -> JobEnd | None:
        """Ask the controller, which forgets soon, then the accounting, which many sites lack."""
        found = _end_by_controller(job_id)
        return found if found and found.state else _end_by_accounting(job_id) or found

    def hosts(self) -> tuple[str, ...]:
        """The hosts of this process's job; none in a job step, where srun knows them."""
        nodes = os.environ.get("SLURM_JOB_NODELIST")
        answer = ask(["scontrol", "show", "hostnames", nodes]) if nodes else None
        return tuple((answer or "").split())

    def limits(self, partition: str | None) -> RequestLimits:
        """Limits of `partition` (names with commas between); asked once per process."""
        # sbatch reads this variable where it gets no option.
        return _limits(partition or os.environ.get("SBATCH_PARTITION"))


def ask_queue(name: str) -> dict[str, JobState] | None:
    """Jobs called `name` that the controller knows, ended ones among them; None: no answer."""
    # Without --all an ordinary user sees no job in a hidden partition.
    command = ["squeue", "--all", "--states=all", "--noheader", "--format=%i|%T|%r"]
    answer = ask([*command, f"--name={name}"], LIST_PATIENCE_S)
    return None if answer is None else _states(answer)


def cancel(name: str) -> bool:
    """Cancel every job called `name`; whether Slurm accepted it."""
    return ask(["scancel", f"--name={name}"], LIST_PATIENCE_S) is not None


def ask_accounting(jobs: Iterable[str]) -> dict[str, JobState] | None:
    """States of `jobs` as the accounting has them; None where there is none."""
    command = ["sacct", "--noheader", "--parsable2", "--allocations", f"--jobs={','.join(jobs)}"]
    answer = ask([*command, "--format=JobID,State,Reason"], LIST_PATIENCE_S)
    return None if answer is None else _states(answer)


def _states(answer: str) -> dict[str, JobState]:
    found = {}
    for line in answer.splitlines():
        number, _, rest = line.partition("|")
        state, _, reason = rest.partition("|")
        if number and state:  # `CANCELLED by 1000`
            found[number] = JobState(state.split()[0], reason)
    return found


def _end_by_controller(job_id: str) -> JobEnd | None:
    answer = ask(["scontrol", "--oneliner", "show", "job", job_id])
    facts = dict(re.findall(r"(\w+)=(\S*)", answer.splitlines()[0])) if answer else {}
    return _end(facts.get("JobState", ""), facts.get("NodeList", ""))


def _end_by_accounting(job_id: str) -> JobEnd | None:
    command = ["sacct", "--noheader", "--parsable2", "--allocations", "--jobs", job_id]
    answer = ask([*command, "--format=State,NodeList"])
    state, _, nodes = answer.splitlines()[-1].partition("|") if answer else ("", "", "")
    return _end(state, nodes)


def _end(state: str, nodes: str) -> JobEnd | None:
    words = state.split()
    phase = phase_of(words[0]) if words else Phase.OPEN
    if not phase.ended:
        return None
    return JobEnd(
        "" if phase is Phase.GOOD else words[0],
        "" if nodes in ("(null)", "None assigned") else nodes,
    )


@cache
def _limits(partition: str | None) -> RequestLimits:
    # Without --exact different nodes are one line, with the smallest memory.
    where = [f"--partition={partition}"] if partition else []
    answer = ask(["sinfo", "--noheader", "--exact", "--format=%P %m %l %s %D", *where]) or ""
    lines = [words for line in answer.splitlines() if len(words := line.split()) == 5]
    if not partition:
        # A star marks the partition of jobs that name none.
        lines = [words for words in lines if words[0].endswith("*")] or lines
    memories = [int(memory) for _, memory, *_ in lines if memory.isdecimal()]
    times = [_minutes(time) for _, _, time, *_ in lines]
    known = [minutes for minutes in times if minutes]
    return RequestLimits(
        max(memories, default=None),
        max(known) if known and len(known) == len(times) else None,
        _most_nodes(lines),
    )


def _most_nodes(lines: Sequence[Sequence[str]]) -> int | None:
    """The nodes of the largest partition, or as many of them as one job may have there."""
    found: dict[str, int] = {}
    sizes: dict[str, str] = {}
    for name, _, _, size, count in lines:
        if not count.isdecimal():
            return None
        found[name] = found.get(name, 0) + int(count)
        # `1-infinite`, `1-4`, or one number where a job has neither more nor less.
        sizes[name] = size.rpartition("-")[2]
    most = [min(n, int(sizes[k])) if sizes[k].isdecimal() else n for k, n in found.items()]
    return max(most, default=None) or None


def _minutes(text: str) -> int | None:
    """Whole minutes of a time limit; None for `infinite` and what is not understood."""
    if not (match := DURATION.fullmatch(text)):
        return None
    days, hours, minutes, _ = (int(part or 0) for part in match.groups())
    return (days * 24 + hours) * 60 + minutes
