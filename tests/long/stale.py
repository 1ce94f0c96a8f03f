"""Which suites of the long tier have to run.

`python -m tests.long.stale` needs nothing but Python and Git. It ends with 1 if they
take more than `MOST_MIN` on two cores, and says then what to run.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.long.digest import code_digest
from tests.long.suites import SUITES

RECORD = Path(__file__).with_name("record.json")
#: What tests may take that run without being asked for, in minutes on two cores.
MOST_MIN = 20
HOW = "make test-stale"


def read_record(path: Path = RECORD) -> dict[str, Any]:
    """What is known about each suite; nothing where there is no record."""
    return dict(json.loads(path.read_text())) if path.exists() else {}


def is_fresh(entry: Mapping[str, Any] | None, digest: str | None) -> bool:
    """Whether all tests passed for exactly this code."""
    return entry is not None and entry["code_sha256"] == digest and entry["failed"] == 0


def minutes(record: Mapping[str, Any], digests: Mapping[str, str | None]) -> dict[str, float]:
    """What each stale suite takes on two cores, the longest first; 0 if it never ran."""
    stale = {
        suite: record.get(suite, {"seconds": 0})["seconds"] / 2 / 60
        for suite, digest in digests.items()
        if not is_fresh(record.get(suite), digest)
    }
    return dict(sorted(stale.items(), key=lambda each: -each[1]))


def too_long(stale: Mapping[str, float]) -> str | None:
    """The sentence about stale suites that nobody should meet unasked; None if there are few."""
    if sum(stale.values()) <= MOST_MIN:
        return None
    each = ", ".join(f"{suite} {taken:.0f}" for suite, taken in stale.items())
    return (
        f"{sum(stale.values()):.0f} min of the long tier have not run for this code ({each}); "
        f"`{HOW}` runs and records them"
    )


if __name__ == "__main__":
    digests = {suite: code_digest(covers) for suite, covers in SUITES.items()}
    if None in digests.values():
        sys.exit("weft: only a Git checkout tells which suites of the long tier have to run")
    if sentence := too_long(minutes(read_record(), digests)):
        sys.exit(f"weft: {sentence}: commit tests/long/record.json, then start again")
