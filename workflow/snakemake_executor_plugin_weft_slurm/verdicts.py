"""What a job's state means for the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from weft.scheduler.slurm import JobState
from weft.scheduler.slurm_states import Phase, phase_of

#: How many checks in a row must report an end before it counts, if it may not be final.
TIMES = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """`open`, or ended: well, or with a `problem`; `late` if that is the limit of its time."""

    open: bool = False
    problem: str | None = None
    late: bool = False


OPEN = Verdict(open=True)


@dataclass
class Verdicts:
    """Judges jobs, check by check."""

    doubts: dict[str, int] = field(default_factory=dict)

    def of(
        self,
        job_id: str | None,
        states: Mapping[str, JobState] | None,
        outcome: Callable[[], str | None],
    ) -> Verdict:
        """The verdict on a job; `states` is None if Slurm did not answer.

        `outcome` gives what the job itself wrote, for one that Slurm has forgotten.
        """
        if states is None or job_id is None:
            return OPEN
        state = states[job_id].state if job_id in states else None
        phase = phase_of(state) if state else Phase.LOST
        if not phase.ended:
            self.doubts.pop(job_id, None)
            return OPEN
        if phase is Phase.GOOD:
            return Verdict()
        if phase is Phase.BAD:
            late = state == "TIMEOUT"
            return Verdict(problem=f"Slurm job {job_id} ended as {state}.", late=late)
        self.doubts[job_id] = self.doubts.get(job_id, 0) + 1
        if self.doubts[job_id] < TIMES:
            return OPEN
        if state:
            return Verdict(
                problem=f"Slurm job {job_id} ended as {state}, and was not queued again."
            )
        return self._forgotten(job_id, outcome())

    def _forgotten(self, job_id: str, outcome: str | None) -> Verdict:
        if outcome == "done":
            return Verdict()
        ended = f"its history says {outcome}" if outcome else "its history has no end"
        return Verdict(problem=f"Slurm no longer knows job {job_id}; {ended}.")
