"""Refusals of `sbatch`: which of them pass by themselves, and what to change for the others."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

#: The first pattern that is found in the message of `sbatch` counts.
_PASSING = (
    (r"(?:Assoc|QOS)(?:Max|Grp)Submit\w*",
     "account or QOS allow no more jobs in the queue. weft submits the others as jobs end"),
    (r"Unable to contact slurm controller|Socket timed out|Zero Bytes were transmitted|"
     r"temporarily unable to accept job|Resource temporarily unavailable|standby mode",
     "the controller does not answer. weft goes on trying"),
)  # fmt: skip
#: Keys of the machine file that may mend what does not pass.
_LASTING = (
    (r"default partition|[Ii]nvalid partition|permitted to use this partition", "partition"),
    (r"[Ii]nvalid account", "account or partition"),
    (r"[Ii]nvalid qos", "qos"),
    (r"QOS policy|time limit is invalid", "runtime_per_job, account, qos or partition"),
    (r"node configuration|Node count|processors requested",
     "memory_per_job, constraint, ranks, ranks_per_node or partition"),
    (r"[Ii]nvalid feature", "constraint"),
    (r"[Rr]eservation", "reservation"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refusal:
    """What `sbatch` said, without the command; whether that passes, and what is new of it."""

    message: str
    passes: bool = False
    news: str | None = None


@dataclass
class Refusals:
    """Judges messages of `sbatch`; each kind of refusal is news once."""

    said: set[str] = field(default_factory=set)

    def judged(self, message: str) -> Refusal:
        """The refusal behind a message of Slurm's executor."""
        said = message.partition("sbatch call:")[0].strip()
        for pattern, text in _PASSING:
            if found := re.search(pattern, said):
                return Refusal(said, True, self._new(pattern, f"now ({found[0]}): {text}"))
        for pattern, keys in _LASTING:
            if re.search(pattern, said):
                text = f"of this kind: set {keys} in the machine file (configs/machine/)"
                return Refusal(said, news=self._new(pattern, text))
        return Refusal(said)

    def _new(self, pattern: str, text: str) -> str | None:
        if pattern in self.said:
            return None
        self.said.add(pattern)
        return f"Slurm takes no job {text}"
