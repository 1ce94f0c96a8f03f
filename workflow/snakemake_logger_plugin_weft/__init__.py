"""Snakemake's messages, with one live line below them that says how far the run has come.

On a terminal the line stays at the bottom and changes in place. Elsewhere it is printed anew after
`interval` seconds if a count has changed, and less and less often if none has. Everything else is
written as Snakemake's own handler would write it.
"""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass, field
from logging import LogRecord

from rich.console import Console
from rich.live import Live
from rich.text import Text
from snakemake.logging import ColorizingTextHandler
from snakemake.settings.enums import Quietness
from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase
from weft.interrupt import ends_jobs
from weft.progress import Repeated, running

INTERVAL_S = 30


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """Options `--logger-weft-…`."""

    interval: int | None = field(
        default=INTERVAL_S,
        metadata={"help": "Seconds between progress lines where there is no terminal", "type": int},
    )


class LogHandler(LogHandlerBase):
    """Writes records to the standard error, and keeps the progress line below them."""

    def __post_init__(self) -> None:
        stream = sys.stdout if self.common_settings.stdout else sys.stderr
        self._plain = ColorizingTextHandler(nocolor=self.common_settings.nocolor, stream=stream)
        self._console = Console(file=stream, highlight=False)
        self._live: Live | None = None
        self._painting = threading.Lock()
        self._ended = threading.Event()
        self._ticking = threading.Thread(target=self._tick, daemon=True)
        if not self.common_settings.dryrun and Quietness.ALL not in (
            self.common_settings.quiet or ()
        ):
            self._ticking.start()

    def filter(self, record: LogRecord) -> bool:
        """As Snakemake's filter, but `--quiet rules`, as in `make run`, does not hide why a job
        failed, unless Ctrl-C ended it: then every job fails for that reason."""
        failed = getattr(record, "event", None) in (LogEvent.JOB_ERROR, LogEvent.GROUP_ERROR)
        if failed and ends_jobs():
            return False
        quiet = self.common_settings.quiet or ()
        return (failed and Quietness.ALL not in quiet) or super().filter(record)

    def emit(self, record: LogRecord) -> None:
        """Write the record above the line."""
        with self._painting:
            self._plain.setFormatter(self.formatter)
            if self._live is None:
                self._plain.emit(record)
            elif text := self._plain.format(record):
                self._console.print(Text.from_ansi(self._plain.decorate(record, text)))

    def _tick(self) -> None:
        wait_s = 1.0 if self._console.is_terminal else float(self._interval_s)
        said, repeated = False, Repeated(wait_s)
        while not self._ended.wait(wait_s):
            run = running()
            if run is None or (said and not self._console.is_terminal):
                continue
            run.look()
            counts = frozenset(run.counts().items())
            if self._console.is_terminal or repeated.is_due(counts, time.monotonic()):
                self._paint(run.line())
                said = run.ended

    @property
    def _interval_s(self) -> int:
        given = getattr(self.settings, "interval", None)
        return INTERVAL_S if given is None else max(1, int(given))

    def _paint(self, line: str) -> None:
        with self._painting:
            if not self._console.is_terminal:
                print(f"weft: {line}", file=self._console.file, flush=True)
                return
            if self._live is None:
                self._live = Live(console=self._console, auto_refresh=False, transient=True)
                self._live.start()
            self._live.update(Text(line, no_wrap=True, overflow="ellipsis"), refresh=True)

    def close(self) -> None:
        """Take the live line away; the terminal is as it was."""
        self._ended.set()
        if self._ticking.is_alive():
            self._ticking.join(timeout=5)
        with self._painting:
            if self._live:
                self._live.stop()
                self._live = None
        super().close()

    @property
    def writes_to_stream(self) -> bool:
        """It takes the place of Snakemake's own handler."""
        return True

    @property
    def writes_to_file(self) -> bool:
        """Snakemake's log file is written as ever."""
        return False

    @property
    def has_filter(self) -> bool:
        """Snakemake's filter decides what `--quiet` hides."""
        return False

    @property
    def has_formatter(self) -> bool:
        """Snakemake's formatter writes the records."""
        return False

    @property
    def needs_rulegraph(self) -> bool:
        """It draws nothing."""
        return False
