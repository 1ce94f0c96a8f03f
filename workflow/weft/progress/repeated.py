"""When a line is printed again that no later one overwrites, as in a log."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(slots=True)
class Repeated:
    """A line comes again when its counts have changed, else after ever longer silences.

    So a point that takes a day leaves a dozen lines, which still show that the run goes on. At most
    one line comes every `interval_s`.
    """

    interval_s: float
    _counts: Hashable = None
    _silence_s: float = 0.0
    _last_s: float | None = None

    def is_due(self, counts: Hashable, now_s: float) -> bool:
        """Whether to print at `now_s`; if so, the next silence begins."""
        if self._last_s is None or counts != self._counts:
            self._silence_s = self.interval_s
        elif now_s - self._last_s < self._silence_s:
            return False
        else:
            self._silence_s *= 2
        self._counts, self._last_s = counts, now_s
        return True
