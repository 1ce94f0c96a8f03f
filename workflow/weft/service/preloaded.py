"""Processes that need not import weft again, because they are forked from one that has.

Importing Snakemake and weft takes longer than most small tasks. A process that is forked from the
caller itself would inherit its threads' locks, its connections and its secrets.
"""

from __future__ import annotations

import resource
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from typing import TypeVar, cast

Result = TypeVar("Result")


class LimitError(Exception):
    """A call has exceeded its limits."""


@dataclass(frozen=True, slots=True)
class CallLimits:
    """What a call may use."""

    processor_s: int
    wall_s: float
    memory_bytes: int


@cache
def preloading(*modules: str) -> ForkServerContext:
    """Begin processes from one that has imported these modules; it starts with the first."""
    context = get_context("forkserver")
    context.set_forkserver_preload([*modules])
    return context


def limited(
    context: ForkServerContext,
    call: Callable[..., Result],
    arguments: Sequence[object],
    limits: CallLimits,
) -> Result:
    """What `call` returns in a process of its own.

    Raises LimitError when it exceeds a limit or breaks otherwise.
    """
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, call, arguments, limits), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(limits.wall_s):
            raise LimitError(f"it takes more than {limits.wall_s:g} s")
        return cast("Result", ours.recv())
    except (EOFError, OSError) as error:
        process.join()
        raise LimitError(
            f"it takes more than {limits.processor_s} s of processor time or "
            f"{limits.memory_bytes >> 20} MiB of memory"
        ) from error
    finally:
        ours.close()
        process.kill()
        process.join()
        process.close()


def _answer(
    theirs: Connection, call: Callable[..., object], arguments: Sequence[object], limits: CallLimits
) -> None:
    for kind, most in (
        (resource.RLIMIT_CPU, limits.processor_s),
        (resource.RLIMIT_AS, limits.memory_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    theirs.send(call(*arguments))
