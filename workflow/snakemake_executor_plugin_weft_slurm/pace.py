"""How fast jobs are submitted."""

from __future__ import annotations

import threading


class Pace:
    """Spaces submissions evenly: at most `jobs` of them in each `timespan_s` seconds.

    Raises ValueError for no jobs: none would ever be submitted.
    """

    def __init__(self, jobs: int, timespan_s: float) -> None:
        if jobs < 1:
            raise ValueError(
                f"max-jobs-per-timespan allows {jobs} jobs in {timespan_s:g} s, so that none would "
                "ever be submitted: write 1 job or more, as in 100/10s (in the profile, or on the "
                "command line)"
            )
        self._apart_s = timespan_s / jobs
        self._free_s = 0.0
        self._lock = threading.Lock()

    def wait_s(self, now_s: float) -> float:
        """Seconds to wait before a submission; each call takes the next place.

        `now_s` is of a clock that never goes back and never shows less than 0.
        """
        with self._lock:
            mine_s = max(now_s, self._free_s)
            self._free_s = mine_s + self._apart_s
        return mine_s - now_s
