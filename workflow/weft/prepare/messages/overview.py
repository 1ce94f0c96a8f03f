"""What `snakemake plan` prints."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

HEADINGS = (
    "experiment", "engine", "points", "shards", "new", "cached", "failed", "skipped", "flagged",
)  # fmt: skip


def overview(plan_paths: Iterable[Path], results: Path, ways: Iterable[str] = ()) -> str:
    """A table with one line per experiment and engine; below it the `ways` to measure, if any."""
    from weft.plan import read_plan, summarise

    lines: list[tuple[str, ...]] = [HEADINGS]
    for path in plan_paths:
        plan = read_plan(path)
        for row in summarise(plan, results):
            values = [getattr(row, name) for name in HEADINGS[1:]]
            lines.append((plan.experiment, *map(str, values)))
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    more = [*ways]
    return "\n".join([*(_aligned(line, widths) for line in lines), *([""] if more else []), *more])


def _aligned(line: tuple[str, ...], widths: list[int]) -> str:
    names = [text.ljust(width) for text, width in zip(line[:2], widths[:2], strict=True)]
    counts = [text.rjust(width) for text, width in zip(line[2:], widths[2:], strict=True)]
    return "  ".join(names + counts)
