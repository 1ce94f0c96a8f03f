"""Refusals of `sbatch` that pass by themselves."""

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


@dataclass
class Refusals:
    """Judges messages of `sbatch`; says each passing refusal once."""

    said: set[str] = field(default_factory=set)

    def judged(self, message: str) -> tuple[str | None, bool]:
        """What is new for the user, and whether the refusal passes by itself."""
        # Behind it stands the whole command.
        said = message.partition("sbatch call:")[0]
        for pattern, text in _PASSING:
            if found := re.search(pattern, said):
                new = pattern not in self.said
                self.said.add(pattern)
                return (f"Slurm takes no job now ({found[0]}): {text}" if new else None), True
        return None, False
