"""The packages that a lock names, for this machine's Python, as pip downloads them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from weft.files.layout import CLONE


def download_packages(
    lock: Path, folder: Path, *options: str, each: Callable[[str], None] | None = None
) -> None:
    """Download every package of `lock` into `folder`, each compared with its checksum.

    `options` are more ones of pip; `each` is called with the name of a package when its turn comes.
    Raises ValueError with pip's reason where pip cannot get them.
    """
    command = [
        *(sys.executable, "-m", "pip", "download", "--disable-pip-version-check"),
        *("--progress-bar", "off", "--no-deps", "--require-hashes", *options),
        *("-r", str(lock), "-d", str(folder)),
    ]
    said = []
    # One stream for both: who reads only one of two may wait for ever.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        for line in pip.stdout or ():
            said.append(line.strip())
            if each and line.startswith("Collecting "):
                each(line.split()[1].partition("==")[0])
    if pip.returncode != 0:
        errors = [line for line in said if line.startswith("ERROR")]
        reason = (errors or said or ["no reason was given"])[0]
        raise ValueError(f"pip cannot get the wheels ({reason.removeprefix('ERROR: ')})")


@contextmanager
def report_wheels() -> Iterator[Sequence[Path]]:
    """Wheels for every package of `envs/report.txt`, each compared with its checksum.

    pip gets them where it is set up to. Raises ValueError with pip's reason where it cannot.
    """
    with TemporaryDirectory(prefix="weft-") as folder:
        try:
            download_packages(CLONE / "envs" / "report.txt", Path(folder), "--only-binary", ":all:")
        except ValueError as error:
            raise ValueError(
                f"{error}; without --config wheels=true the archive holds their lock instead"
            ) from error
        yield sorted(Path(folder).iterdir())
