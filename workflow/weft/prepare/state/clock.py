"""Files from the future: what was made before the clock was set back."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from weft.files.layout import STATUS, ExperimentFolder

#: A file server's clock may be a little ahead of this machine's.
TOLERATED_S = 2.0


def date_back(folder: ExperimentFolder, page: Path) -> None:
    """Date files that seem to come from the future to the present, with a warning.

    Snakemake would refuse every job that reads one of them, until its time has come. A page of the
    future would seem newer than all that becomes of its results.
    """
    now = time.time()
    ahead_s = {
        path: path.stat().st_mtime - now for path in (*_inputs(folder), page) if path.exists()
    }
    wrong = [path for path, ahead in ahead_s.items() if ahead > TOLERATED_S]
    for path in wrong:
        os.utime(path, (now, now))
    if wrong:
        print(
            f"weft: warning: {len(wrong)} files of {folder.name} were dated up to"
            f" {max(ahead_s.values()) / 3600:.1f} h ahead; was the clock set back?",
            file=sys.stderr,
        )


def _inputs(folder: ExperimentFolder) -> Iterator[Path]:
    """What jobs of the experiment read of each other."""
    yield from (folder.plan, folder.calibration, folder.placement, folder.stamp)
    yield folder.collection
    yield from folder.orders()
    yield from folder.path.glob(f"*/*/{STATUS}")
    yield from folder.path.glob("*/*/metrics.parquet")
