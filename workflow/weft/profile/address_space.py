"""Limits of memory below which nothing of weft works, seen before anything begins."""

from __future__ import annotations

import resource

#: Threads and libraries reserve addresses, far more than the memory that they use. At 1.5 GB a
#: collection of six points fails, at 2 GB it does not.
NEEDED_BYTES = 2_000_000_000


def check_address_space() -> None:
    """End the process with one message where `ulimit -v` leaves it too few addresses.

    Snakemake cannot start its threads then and prints a traceback, or a page waits forever for
    theirs.
    """
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY and limit < NEEDED_BYTES:
        raise SystemExit(
            f"weft: ulimit -v limits every process to {limit / 1e9:.1f} GB, and weft needs "
            f"{NEEDED_BYTES / 1e9:.0f} GB: write `ulimit -v unlimited`, or ask the batch system "
            "for more memory; nothing was run"
        )
