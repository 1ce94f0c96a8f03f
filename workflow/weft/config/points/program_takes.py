"""Message sizes and numbers of ranks that a program takes, as its source says by macros."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from weft.config.language.errors import Problem
from weft.config.language.section import Settings
from weft.config.model.jobs import ReadyJobs
from weft.config.model.workload import Program, SourceProgram

#: `#define MGEN_SIZE_MULTIPLE 8`: see programs/include/arguments.h.
_SAID = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+MGEN_(SIZE|RANKS)_(LEAST|MOST|MULTIPLE)[ \t]+(\d+)\b", re.MULTILINE
)
_JOBS = "workload.jobs"


@dataclass(frozen=True, slots=True)
class Allowed:
    """Whole numbers that a program takes: multiples of `multiple` from `least` to `most`."""

    least: int = 0
    most: int | None = None
    multiple: int = 1

    def nearest(self, number: int) -> int:
        """The allowed number that is nearest to one, the smaller of two."""
        most = number if self.most is None else min(number, self.most)
        low = max(most, self.least) // self.multiple * self.multiple
        high = low + self.multiple
        fits = [each for each in (low, high) if self.least <= each <= (self.most or each)]
        return min(fits or [self.least], key=lambda each: abs(each - number))

    def text(self, unit: str) -> str:
        """`2`, `at least 2`, `multiples of 8 B`, `multiples of 2 from 4 on`."""
        if self.least == self.most:
            return f"{self.least}{unit}"
        upper = "" if self.most is None else f" to {self.most}{unit}"
        if self.multiple > 1:
            lower = f" from {self.least}{unit}{upper or ' on'}" if self.least or upper else ""
            return f"multiples of {self.multiple}{unit}{lower}"
        return f"{self.least}{upper}" if upper else f"at least {self.least}{unit}"


def said(source: bytes) -> dict[str, Allowed]:
    """By `SIZE` and `RANKS`: what a source says that it takes."""
    found: dict[str, dict[str, int]] = {}
    for of, bound, number in _SAID.findall(source):
        found.setdefault(of.decode(), {})[bound.decode().lower()] = int(number)
    return {
        of: Allowed(bounds.get("least", 0), bounds.get("most"), max(1, bounds.get("multiple", 1)))
        for of, bounds in found.items()
    }


def taking_problems(
    engine: str, workload: Program, options: Settings, root: Path
) -> Iterator[Problem]:
    """Sizes and ranks that the program would refuse when it runs."""
    if isinstance(workload, ReadyJobs):
        for program in workload.programs:
            for each in taking_problems(engine, program, options, root):
                yield Problem(_JOBS, f"{program.program_name}: {each.message}")
        return
    if not isinstance(workload, SourceProgram) or not (root / workload.source).is_file():
        return
    takes = said((root / workload.source).read_bytes())
    sizes = takes.get("SIZE", Allowed())
    asked: list[tuple[str, Sequence[int], Allowed, str]] = [
        ("workload.message_size", workload.message_size or (), sizes, " B"),
        ("workload.ranks", [workload.ranks], takes.get("RANKS", Allowed()), ""),
    ]
    for key, numbers, allowed, unit in asked:
        wrong = [each for each in numbers if allowed.nearest(each) != each]
        if wrong:
            more = f" ({len(wrong)} of {len(numbers)} values)" if len(wrong) > 1 else ""
            yield Problem(
                key,
                f"{wrong[0]}{unit}{more}, but {workload.program_name} takes {allowed.text(unit)}; "
                f"the nearest is {allowed.nearest(wrong[0])}{unit}",
            )
    if sizes.multiple > 1 and getattr(options, "locate_jumps", False):
        key = f"engine.{engine}.locate_jumps"
        taken = sizes.text(" B")
        message = f"it adds sizes that {workload.program_name} refuses, which takes {taken}"
        yield Problem(key, message, (key, "workload.program"))
