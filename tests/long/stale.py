"""Which suites of the long tier have to run.

`python -m tests.long.stale` needs nothing but Python and Git. It ends with 1 if they
take more than `MOST_MIN` on two cores, and says then what to run.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.long.digest import ROOT, code_digests
from tests.long.suites import SUITES

RECORD = Path(__file__).with_name("record.json")
#: What tests may take that run without being asked for, in minutes on two cores.
MOST_MIN = 20
HOW = "make test-stale"


#: By suite and file of tests.
Record = dict[str, dict[str, dict[str, Any]]]
Digests = dict[str, dict[str, str | None]]


def read_record(path: Path = RECORD) -> Record:
    """What is known about each file of each suite; nothing where there is no record."""
    return dict(json.loads(path.read_text())) if path.exists() else {}


def marked_files(suite: str, root: Path = ROOT) -> list[str]:
    """The files with tests of a suite."""
    mark = f'mark.long("{suite}")'
    files = (root / "tests").rglob("test_*.py")
    return sorted(path.relative_to(root).as_posix() for path in files if mark in path.read_text())


def all_digests() -> Digests:
    """What each file of each suite covers now."""
    return {suite: code_digests(covers, marked_files(suite)) for suite, covers in SUITES.items()}


def is_fresh(entry: Mapping[str, Any] | None, digest: str | None) -> bool:
    """Whether all tests of a file passed for exactly this code."""
    return entry is not None and entry["code_sha256"] == digest and entry["failed"] == 0


def stale_files(record: Record, digests: Digests) -> dict[str, set[str]]:
    """The files of each suite that have to run, without suites that have none."""
    stale = {
        suite: {
            file
            for file, digest in files.items()
            if not is_fresh(record.get(suite, {}).get(file), digest)
        }
        for suite, files in digests.items()
    }
    return {suite: files for suite, files in stale.items() if files}


def minutes(record: Record, digests: Digests) -> dict[str, float]:
    """What is stale of each suite takes on two cores, the longest first; 0 if it never ran."""
    stale = {
        suite: sum(record.get(suite, {}).get(file, {"seconds": 0})["seconds"] for file in files)
        / 2
        / 60
        for suite, files in stale_files(record, digests).items()
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
    digests = all_digests()
    if any(None in files.values() for files in digests.values()):
        sys.exit("weft: only a Git checkout tells which suites of the long tier have to run")
    if sentence := too_long(minutes(read_record(), digests)):
        sys.exit(f"weft: {sentence}: commit tests/long/record.json, then start again")
