"""How good a measurement is: whether its ranks had their processors, and its times were stable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles

#: With so many repetitions in which no rank lost its processor, and this share of all, only those
#: count; the others are what the scheduler did, not the network.
FEWEST_QUIET = 5
QUIET_SHARE = 0.05
#: Ranks that had no processor for less than this share of the time were not disturbed.
MOST_WAITING = 0.05
#: The processors' time that a hypervisor may give to other machines.
MOST_STEAL = 0.05
#: The middle half of quiet repetitions lies within this factor, and so do the medians of their
#: first and second half.
MOST_SPREAD = 4.0
MOST_DRIFT = 2.0
#: Fewer repetitions than this have no spread and no drift to speak of.
FEWEST_TO_JUDGE = 8


@dataclass(frozen=True, slots=True)
class Judged:
    """The value of one metric at one size, and why it is not to be trusted, if so."""

    value: float
    problem: str | None


def judge(values: Sequence[float], lost: Sequence[int], waiting: float) -> Judged:
    """The median of the quiet repetitions, else of all.

    `lost` counts by repetition the ranks that lost their processor; `waiting` is the share of the
    time for which the rank that waited most had none.
    """
    quiet = [value for value, ranks in zip(values, lost, strict=True) if ranks == 0]
    if len(quiet) >= max(min(FEWEST_QUIET, len(values)), QUIET_SHARE * len(values)):
        return Judged(median(quiet), _restless(quiet))
    if waiting <= MOST_WAITING:
        return Judged(median(values), _restless(values))
    return Judged(median(values), f"ranks had no processor for {waiting:.0%} of the time")


def _restless(values: Sequence[float]) -> str | None:
    if len(values) < FEWEST_TO_JUDGE:
        return None
    half = len(values) // 2
    before, after = median(values[:half]), median(values[half:])
    drift = max(before, after) / max(min(before, after), 1e-12)
    if drift > MOST_DRIFT:
        return f"the times drifted by ×{drift:.1f}"
    low, _, high = quantiles(values, n=4)
    spread = high / max(low, 1e-12)
    return (
        f"the middle half of the times spreads over ×{spread:.1f}" if spread > MOST_SPREAD else None
    )


def flag_text(problems: Sequence[str | None], load: float | None, processors: int) -> str | None:
    """What is wrong with a point's values, in one line; None where all are good."""
    found = [problem for problem in problems if problem]
    if not found:
        return None
    text = f"{len(found)} of {len(problems)} values: {max(found, key=found.count)}"
    if load is not None:
        text += f"; load average {load:g} on {processors} processors"
    return text
