"""`weft trace record | convert`: traces of programs that run here, and of the formats of others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import click

from weft.read import ReadError
from weft.tables.traces import ENDING, TraceError
from weft.traces import convert, record

_TARGET = click.Path(dir_okay=False, path_type=Path)


@click.group()
def trace() -> None:
    """Make traces, which the workload `trace` replays."""


@trace.command("record", context_settings={"ignore_unknown_options": True})
@click.argument("target", type=_TARGET)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--mpicc", default="mpicc", help="The compiler of the program's MPI (mpicc).")
@click.option(
    "--clock",
    type=click.Choice(["wall", "cpu"]),
    default="wall",
    help="The clock for computing between calls: elapsed or processor time (wall).",
)
def record_(
    target: Path, command: tuple[str, ...], mpicc: str, clock: Literal["wall", "cpu"]
) -> None:
    """Run COMMAND, such as `mpiexec -n 4 ./program`, and write its calls to TARGET."""
    with _in_words(target):
        ranks, events = record(target, command, mpicc, clock)
    click.echo(f"{target}: {events} events of {ranks} ranks")


@trace.command("convert")
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("target", type=_TARGET)
@click.option(
    "--format",
    "form",
    type=click.Choice(["chakra", "goal", "otf2", "tit", "recorded"]),
    help="The format of SOURCE, if its ending does not show it.",
)
@click.option(
    "--flops",
    type=click.FloatRange(0, min_open=True),
    help="Operations per second of a processor, for formats that count operations.",
)
def convert_(
    source: Path,
    target: Path,
    form: Literal["chakra", "goal", "otf2", "tit", "recorded"] | None,
    flops: float | None,
) -> None:
    """Write the trace SOURCE of another format to TARGET."""
    with _in_words(target):
        ranks, events = convert(
            source, target, form, flops, lambda what: click.echo(f"{source}: {what}", err=True)
        )
    click.echo(f"{target}: {events} events of {ranks} ranks")


@contextmanager
def _in_words(target: Path) -> Iterator[None]:
    if target.suffix != ENDING:
        raise ReadError(f"{target}: a trace ends in {ENDING}")
    try:
        yield
    except TraceError as error:
        raise ReadError(str(error)) from error
