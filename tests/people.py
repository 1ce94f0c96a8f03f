"""Commands as other Unix users, who need no account: `from tests.people import ALICE, command_as`.

Only root can try that, elsewhere a test is skipped. A command runs in a mount namespace of its own.
There /etc/passwd has a line for each of the users, and folders that only root may enter, like a
home folder or pytest's, hold nothing but what the command must reach.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from weft.images import ImageError, find_runtime

from tests.containers_support import ROOT

#: The group that all of them are in.
GROUP = 61000


@dataclass(frozen=True)
class Person:
    """A user; the own group has the user's number."""

    name: str
    number: int


ALICE, BOB = PEOPLE = Person("alice", 61001), Person("bob", 61002)

#: Begins a command of a user without a name, who may read everything and write nothing of root's.
AS_READER = (
    *("setpriv", "--reuid=61001", "--regid=61001", "--clear-groups"),
    *("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"),
)


def need_root() -> None:
    """Skip the test where nobody can become another user."""
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")


def command_as(
    person: Person,
    command: Sequence[str],
    work: Path,
    *reach: Path,
    cwd: Path = ROOT,
    umask: str = "002",
) -> list[str]:
    """`command` as `person`, who can reach Python, this checkout, Apptainer and `reach`.

    `work` is a folder for what the namespace needs; new files are the group's to write unless
    `umask` says otherwise.
    """
    home = work / person.name
    home.mkdir(exist_ok=True)
    os.chown(home, person.number, GROUP)
    steps = [
        "set -e",
        *_accounts(work),
        *_opened(person, home, reach),
        f"cd {_q(cwd)}",
        f"umask {umask}",
    ]
    become = ["setpriv", f"--reuid={person.number}", f"--regid={GROUP}", f"--groups={GROUP}"]
    become += ["env", f"HOME={home}", f"USER={person.name}", f"LOGNAME={person.name}"]
    script = "; ".join([*steps, 'exec "$@"'])
    return ["unshare", "--mount", "sh", "-c", script, "sh", *become, *command]


def run_as(
    person: Person, command: Sequence[str], work: Path, *reach: Path, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """What became of the command."""
    whole = command_as(person, command, work, *reach, cwd=cwd)
    return subprocess.run(whole, capture_output=True, text=True, check=False)


def _accounts(work: Path) -> Iterator[str]:
    lines = {
        "passwd": [f"{p.name}:x:{p.number}:{GROUP}::{work / p.name}:/bin/sh" for p in PEOPLE],
        "group": [f"together:x:{GROUP}:"],
        "subuid": [f"{p.name}:{p.number * 65536}:65536" for p in PEOPLE],
    }
    lines["subgid"] = lines["subuid"]
    for name, added in lines.items():
        there, own = Path("/etc") / name, work / name
        own.write_text("".join(f"{line}\n" for line in [there.read_text().rstrip("\n"), *added]))
        own.chmod(0o644)
        yield f"mount --bind {_q(own)} {there}"


def _opened(person: Person, home: Path, reach: Sequence[Path]) -> Iterator[str]:
    """Covers folders that only root may enter, with what is needed of them put in again."""
    needed = [Path(sys.base_prefix), Path(sys.prefix), ROOT, *_apptainer(), *reach, home]
    behind = {path: closed for path in needed if (closed := _closed(path))}
    # In sight until it is put in again.
    kept = {path: f"/mnt/{i}" for i, path in enumerate(behind)}
    yield "mount -t tmpfs tmpfs /mnt"
    for path, place in kept.items():
        yield f"mkdir {place}; mount --bind {_q(path)} {place}"
    for closed in sorted(set(behind.values())):
        yield f"mount -t tmpfs -o mode=755 tmpfs {_q(closed)}"
    for path, place in kept.items():
        yield f"mkdir -p {_q(path)}; mount --bind {place} {_q(path)}"
    # A build sees its user's home folder as /root, and must find there what lies in root's.
    for path, place in kept.items():
        if path.is_relative_to("/root"):
            own = home / path.relative_to("/root")
            for folder in [own, *own.parents][: len(own.relative_to(home).parts)]:
                folder.mkdir(parents=True, exist_ok=True)
                os.chown(folder, person.number, GROUP)
            yield f"mount --bind {place} {_q(own)}"


def _closed(path: Path) -> Path | None:
    """The outermost folder on the way to `path` that others may not enter."""
    way = [*reversed(path.resolve().parents), path.resolve()]
    return next((each for each in way if not each.stat().st_mode & 0o001), None)


def _apptainer() -> Iterator[Path]:
    with suppress(ImageError):
        yield find_runtime().resolve().parents[1]


def _q(path: Path) -> str:
    return shlex.quote(str(path))
