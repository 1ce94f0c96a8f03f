"""How long Slurm has not answered a question about jobs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Silence:
    """Knows when to say that Slurm does not answer; times are seconds of one clock."""

    patience_s: float
    since_s: float | None = None
    said: int = 0

    def unanswered(self, now_s: float) -> str | None:
        """A question got no answer; returns a message for the user each time the patience ends."""
        if self.since_s is None:
            self.since_s = now_s
        silent_s = now_s - self.since_s
        if silent_s < (self.said + 1) * self.patience_s:
            return None
        self.said += 1
        return (
            f"Slurm has not answered for {_long(silent_s)}: neither squeue nor sacct reports the "
            "state of the jobs. The run keeps asking; running jobs are not disturbed"
        )

    def answered(self, now_s: float) -> str | None:
        """A question got an answer; returns a message for the user after a silence."""
        since_s, said = self.since_s, self.said
        self.since_s, self.said = None, 0
        if since_s is None or not said:
            return None
        return f"Slurm answers again, after {_long(now_s - since_s)}"


def _long(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"
