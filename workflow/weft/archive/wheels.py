"""The packages that make pages, as the lock names them, for this machine's Python."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from weft.files.layout import CLONE


@contextmanager
def report_wheels() -> Iterator[Sequence[Path]]:
    """Wheels for every package of `envs/report.txt`, each compared with its checksum.

    pip gets them where it is set up to. Raises ValueError with pip's reason where it cannot.
    """
    with TemporaryDirectory(prefix="weft-") as folder:
        command = [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
            *("--no-deps", "--only-binary", ":all:", "--require-hashes"),
            *("-r", str(CLONE / "envs" / "report.txt"), "-d", folder),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
            reason = (said or done.stderr.splitlines() or ["no reason was given"])[0]
            raise ValueError(
                f"pip cannot get the wheels ({reason.removeprefix('ERROR: ')}); without"
                " --config wheels=true the archive holds their lock instead"
            )
        yield sorted(Path(folder).iterdir())
