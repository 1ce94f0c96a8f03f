"""What is known of a run that could not say how it ended, because it was killed.

A run writes into the lock of its experiment who it is, and wipes that out when it ends. The kernel
frees the lock of a killed run, but the words stay.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from weft.interrupt import before_the_end

_BOOT, _COUNTS = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/vmstat")
#: What a run adds to its words whose terminal is closed.
_HANGUP = "SIGHUP"
_STAYS = "what it has finished stays"
_ADVICE = "close other programs, raise the limit of memory, or run it with --cores 1"


def words(who: str) -> str:
    """What a run writes into its locks: who it is, where, and how often memory ran out before."""
    return f"{who}\n{socket.gethostname()} {_boot()} {_kills()}\n"


def who_holds(text: str) -> str:
    """Who wrote these words."""
    return text.strip().partition("\n")[0]


def wiped_at_the_end(locks: Sequence[IO[str]]) -> None:
    """Wipe the words out of `locks` when this process ends by itself, also by Ctrl-C.

    If its terminal is closed, the words stay, and name that.
    """

    def wipe() -> None:
        for file in locks:
            with suppress(OSError, ValueError):  # of an ended run nothing is lost
                file.truncate(0)

    atexit.register(wipe)
    before_the_end(wipe)
    # A command that outlives its terminal ignores the signal (`nohup`).
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, lambda *_: _hang_up(locks))


def _hang_up(locks: Sequence[IO[str]]) -> None:
    """Note the reason, then end as every program whose terminal is closed."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for file in locks:
        with suppress(OSError, ValueError):
            os.write(file.fileno(), f"{_HANGUP}\n".encode())
    os.kill(os.getpid(), signal.SIGHUP)


def how_it_ended(text: str) -> str | None:
    """How the run ended whose words are still there; None where there are none, and no run."""
    who, _, place = text.strip().partition("\n")
    host, boot, kills, hangup = [*place.split(), "", "", "", ""][:4]
    if not boot:  # an earlier version of weft wiped nothing out
        return None
    start = f"the last run ({who}) did not end by itself"
    if hangup == _HANGUP:
        return f"{start}: its terminal was closed; {_STAYS}; behind `nohup` a run goes on"
    if host != socket.gethostname():
        return f"{start}; {_STAYS}"
    if boot != _boot():
        return f"{start}: this machine was started again meanwhile; {_STAYS}"
    more = int(_kills()) - int(kills) if kills.isdecimal() and _kills().isdecimal() else 0
    if more <= 0:
        return (
            f"{start}: something killed it (kill -9, a limit of time); what it has finished stays"
        )
    processes = "a process" if more == 1 else f"{more} processes"
    return (
        f"{start}: since it began, the kernel has killed {processes} because memory ran out; "
        f"{_STAYS}; {_ADVICE}"
    )


def _boot() -> str:
    with suppress(OSError):
        return _BOOT.read_text().strip()
    return "?"


def _kills() -> str:
    """How many processes this kernel has killed because memory ran out."""
    with suppress(OSError):
        for line in _COUNTS.read_text().splitlines():
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return count
    return "?"
