"""Whether images start on this machine: found by trying, because it cannot be predicted.

Apptainer mounts an image by squashfuse and /dev/fuse, or unpacks it. A root that lacks a capability
can do the first and not the second; a machine without the device the second and not the first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from weft.doctor.finding import Finding
from weft.doctor.probe import which
from weft.images import ImageError, exec_command, start_problem

SUBJECT = "starting images"
#: An environment in which Apptainer unpacks every image at its start.
UNPACK = {"APPTAINER_UNSQUASH": "true"}
NATIVELY = "run natively, without --sdm apptainer"
LONGEST_START_S = 60.0
#: With these of the machine an image that holds nothing has a shell.
FOLDERS = ("/bin", "/lib", "/lib64", "/usr")
IN_EMPTY = ("/bin/sh", "-c", ":")


@dataclass(frozen=True, slots=True)
class Start:
    """What became of one start: its time, and the problem if there was one."""

    seconds: float
    problem: str | None


def starting(root: Path) -> Finding:
    """Start an image as runs do, and look for a setting with which it starts where it does not."""
    with _image(root) as tried:
        if tried is None:
            return _not_tried("no image is built, and without mksquashfs no test image can be made")
        try:
            command = _command(tried)
        except ImageError:
            return _not_tried("there is no Apptainer")
        found = _start(command, {})
        if found.problem is None:
            return Finding(SUBJECT, True, f"an image starts in {found.seconds:.1f} s{_how()}")
        return _with_remedy(command, found.problem)


def _with_remedy(command: list[str], problem: str) -> Finding:
    unpacked = _start(command, UNPACK)
    if unpacked.problem is None:
        (setting,) = (f"{name}={value}" for name, value in UNPACK.items())
        remedy = (
            f"`export {setting}`, which works on this machine: Apptainer then unpacks an image at "
            "every start, which takes seconds"
        )
    else:
        remedy = f"{NATIVELY}: unpacking images does not work here either ({unpacked.problem})"
    return Finding(SUBJECT, False, problem, "no image starts on this machine", remedy)


def _not_tried(why: str) -> Finding:
    how = f"`snakemake doctor` tests it when there is one; until then {NATIVELY}"
    return Finding(SUBJECT, False, f"not tried: {why}", "unknown whether images run here", how)


def _how() -> str:
    if any(os.environ.get(name) for name in UNPACK):
        return ", unpacked each time, as APPTAINER_UNSQUASH says"
    if not which("squashfuse_ll", "squashfuse"):
        return ", unpacked each time, since there is no squashfuse"
    return ""


def _start(command: list[str], setting: Mapping[str, str]) -> Start:
    began = time.monotonic()
    try:
        done = subprocess.run(
            command,
            env={**os.environ, **setting},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LONGEST_START_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Start(time.monotonic() - began, str(error))
    last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    problem = None if done.returncode == 0 else start_problem(done.stderr) or last
    return Start(time.monotonic() - began, problem)


def _command(image: Path) -> list[str]:
    binds = [folder for folder in FOLDERS if Path(folder).is_dir()]
    return [*exec_command(image, binds=binds), *IN_EMPTY]


@contextmanager
def _image(root: Path) -> Iterator[Path | None]:
    """An image that holds nothing, else the smallest that is built, else none."""
    program = shutil.which("mksquashfs", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    with tempfile.TemporaryDirectory(prefix="weft-doctor-") as name:
        empty, image = Path(name) / "empty", Path(name) / "empty.sqsh"
        for folder in FOLDERS:
            (empty / folder.lstrip("/")).mkdir(parents=True)
        made = program and subprocess.run(
            [program, empty, image, "-quiet", "-no-progress"], capture_output=True, check=False
        )
        if made and made.returncode == 0:
            yield image
            return
        built = (root / "containers" / "images").glob("[!.]*.sif")
        yield min(built, key=lambda path: path.stat().st_size, default=None)
