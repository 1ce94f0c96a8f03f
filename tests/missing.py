"""What a machine lacks: its tests are skipped, and fail where CI=true.

The last lines of all tests count them by reason and say what installs what is missing.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import NoReturn

import pytest
from weft.confine.layers import missing_to_build

from tests.long.suites import SUITES

APT = "apt-get install"
#: How to get what a reason names; the first pattern that is found in it counts.
INSTALLS = {
    # One that is there and refuses says itself why.
    r"(bubblewrap|bwrap).* not installed": f"{APT} bubblewrap",
    r"[Cc]hromium": f"{APT} chromium chromium-driver",
    r"debootstrap|mksquashfs|newuidmap|fakeroot": (
        f"{APT} debootstrap squashfs-tools uidmap fakeroot debian-archive-keyring"
    ),
    r"slurmdbd|mariadbd": f"{APT} slurmdbd mariadb-server-core mariadb-client-core",
    r"slurm|sbatch|munged": f"{APT} slurmctld slurmd slurm-client munge iproute2",
    r"gridengine": f"{APT} gridengine-master gridengine-exec gridengine-client",
    r"[Aa]pptainer": "envs/install_apptainer",
    r"SimGrid|smpi": f"{APT} libsimgrid-dev",
    r"\.mpich|/mpich|libmpich|mpicc is": f"{APT} mpich libmpich-dev",
    r"\.openmpi": f"{APT} openmpi-bin libopenmpi-dev",
    r"gfortran|mpifort|mpif": f"{APT} gfortran",
    r"opensm|ibsim|infiniband": f"{APT} opensm ibsim-utils infiniband-diags",
    r"PostgreSQL": f"{APT} postgresql",
    r"nginx": f"{APT} nginx-light",
    r"sqlite3": f"{APT} sqlite3",
    r"cmake": f"{APT} cmake",
    r"objdump|binutils": f"{APT} binutils",
    r"only root|needs root": "run as root, or let `.ci/run` do it on Debian",
}


def missing(reason: str) -> NoReturn:
    """Skip the test, or fail it in CI."""
    if os.environ.get("CI", "").lower() in ("true", "1"):
        pytest.fail(reason)
    pytest.skip(reason)


@cache
def _sandbox() -> str:
    return "; ".join(missing_to_build())


def need_sandbox() -> None:
    """Skip the test where no sandbox starts."""
    if lacks := _sandbox():
        missing(lacks)


def remedy(reason: str) -> str | None:
    """The command that installs what the reason of a skipped test names."""
    each = (command for pattern, command in INSTALLS.items() if re.search(pattern, reason))
    return next(each, None)


def skipped_lines(reasons: Iterable[str]) -> list[str]:
    """How many tests were skipped for each reason, and what to do: one line for each command.
    Suites have their own lines."""
    found = [each for each in reasons if each.partition(":")[0] not in SUITES]
    named = [(each, remedy(each)) for each in found]
    # What one command installs is one reason, in the words of the first test that needs it.
    first = dict(reversed([(how or each, each) for each, how in named]))
    counts = Counter(how or each for each, how in named)
    return [
        f"skipped: {count} × {first[by]}" + (f": {by}" if by != first[by] else "")
        for by, count in counts.most_common()
    ]


def add_summary(terminal: pytest.TerminalReporter) -> None:
    """Print those lines."""
    reports = terminal.stats.get("skipped", [])
    reasons = (str(each.longrepr[2]).removeprefix("Skipped: ") for each in reports)
    for line in skipped_lines(reasons):
        terminal.write_line(line)
