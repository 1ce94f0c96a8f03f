"""One call of `apptainer build`, without being root on the machine, and what came out of it."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from weft.images.definition import MIRROR
from weft.images.errors import ImageError
from weft.images.mirror import VARIABLE
from weft.images.runtime import find_runtime
from weft.images.way_out import ELSEWHERE, reached_nothing

#: 2026-01-01, as in the definitions' build date; what a build writes carries this time.
SOURCE_DATE_EPOCH = "1767225600"
#: Parents are read once or twice: quick to write counts, and gzip is what every kernel reads.
QUICK = ("--mksquashfs-args", "-comp gzip -Xcompression-level 1")
ROOTS_RANGE = "root:100000:65536\n"
LAST_LINES = 15
MARK = "weft: "


@dataclass(frozen=True, slots=True)
class Build:
    """A build: `folder` is its project, `work` takes its temporary files."""

    name: str
    definition: Path
    image: Path
    folder: Path
    work: Path
    log: Path
    arguments: Mapping[str, str]
    quick: bool


def run_build(build: Build) -> None:
    """Build the image; the whole output goes to the log, its steps to standard error.

    Raises ImageError with the log's last lines when it fails.
    """
    with build.log.open("w", buffering=1) as log, _no_orphans():
        process = subprocess.Popen(
            _command(build),
            cwd=build.folder,
            env={**os.environ, **_environment(build.work)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            umask=0o022,
        )
        try:
            assert process.stdout is not None
            for line in process.stdout:
                log.write(line)
                if line.startswith("INFO:"):
                    announce(f"{build.name}: {line.removeprefix('INFO:').strip()}")
            code = process.wait()
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
    if code != 0:
        raise ImageError(_reason(build))


def announce(text: str) -> None:
    """A line of progress."""
    print(f"{MARK}{text}", file=sys.stderr, flush=True)


def version(program: str | Path, *arguments: str) -> str:
    """The first number with dots that a program says about itself, empty when it says none."""
    try:
        done = subprocess.run(
            [str(program), *arguments], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    found = re.search(r"\d+(?:\.\d+)+", done.stdout + done.stderr)
    return found[0] if found else ""


def squashfs_digest(image: Path) -> str:
    """SHA-256 of the image's squashfs partition, in hexadecimal.

    Raises ImageError when the file holds none.
    """
    apptainer = str(find_runtime())
    listed = subprocess.run(
        [apptainer, "sif", "list", str(image)], capture_output=True, text=True, check=False
    )
    found = re.search(r"\|(\d+)-(\d+)\s*\|FS \(Squashfs", listed.stdout)
    if not found:
        raise ImageError(f"{image}: holds no squashfs partition: {listed.stderr.strip()}")
    start, end = int(found[1]), int(found[2])
    digest = sha256()
    with image.open("rb") as file:
        file.seek(start)
        left = end - start
        while left > 0 and (block := file.read(min(left, 1 << 20))):
            digest.update(block)
            left -= len(block)
    return digest.hexdigest()


def _command(build: Build) -> list[str]:
    own = build.work / "tmp"
    own.mkdir()
    command = [str(find_runtime()), "build", "--fakeroot", "--force"]
    # Apptainer would bind the machine's /tmp, and a definition may empty /tmp.
    command += ["--bind", f"{own}:/tmp", "--bind", f"{own}:/var/tmp"]
    command += QUICK if build.quick else ()
    for name, value in build.arguments.items():
        command += ["--build-arg", f"{name}={value}"]
    command += [str(build.image.absolute()), str(build.definition.absolute())]
    return _with_own_range(command, build.work) if os.geteuid() == 0 else command


def _with_own_range(command: Sequence[str], work: Path) -> list[str]:
    """User numbers for root's fakeroot that only this command sees: /etc stays as it is."""
    ranges = work / "ranges"
    ranges.write_text(ROOTS_RANGE)
    bind = "; ".join(
        f"mount --bind {shlex.quote(str(ranges))} {file}" for file in ("/etc/subuid", "/etc/subgid")
    )
    script = f'set -e; {bind}; exec "$@"'
    return ["unshare", "--mount", "sh", "-c", script, "weft", *command]


def _environment(work: Path) -> dict[str, str]:
    """Nothing in the home folder; times that do not differ; no device nodes from debootstrap."""
    folders = {
        name: str(work / name.lower())
        for name in ("APPTAINER_TMPDIR", "APPTAINER_CACHEDIR", "APPTAINER_CONFIGDIR")
    }
    for folder in folders.values():
        Path(folder).mkdir()
    # debootstrap calls chroot, which a user's PATH may lack.
    path = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
    return {**folders, "PATH": path, "SOURCE_DATE_EPOCH": SOURCE_DATE_EPOCH, "container": "lxc"}


def _reason(build: Build) -> str:
    """What people must know of a failed build: what our scripts said, else the last lines."""
    lines = build.log.read_text(errors="replace").splitlines()
    said = [line.removeprefix(MARK) for line in lines if line.startswith(MARK)]
    what = "\n".join(said or lines[-LAST_LINES:])
    text = f"{build.definition.name}: the image cannot be built: {what}\nwhole log: {build.log}"
    if reached_nothing("\n".join([*said, *lines[-LAST_LINES:]])):
        mirror = build.arguments.get(MIRROR, "a server")
        text += (
            f"\nthis machine gets no answer from {mirror}: without the internet {ELSEWHERE}; with a"
            f" mirror that it reaches, set {VARIABLE} to its URL"
        )
    elif not said and os.geteuid() != 0 and not _has_range():
        text += (
            "\nyou have no line in /etc/subuid, which unpacking Debian needs: ask your "
            "administrator for one, or build on another machine and copy containers/images/ here"
        )
    return text


def _has_range() -> bool:
    import pwd

    names = {str(os.getuid())}
    with suppress(KeyError):  # in a container that was started with a number
        names.add(pwd.getpwuid(os.getuid()).pw_name)
    try:
        lines = Path("/etc/subuid").read_text().splitlines()
    except OSError:
        lines = []
    if any(line.split(":")[0] in names for line in lines):
        return True
    try:  # a site's directory service may hold the ranges
        listed = subprocess.run(["getsubids", *names], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return listed.returncode == 0 and bool(listed.stdout.strip())


@contextmanager
def _no_orphans() -> Iterator[None]:
    """SIGTERM ends the build, too, and removes temporary files."""

    def leave(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
