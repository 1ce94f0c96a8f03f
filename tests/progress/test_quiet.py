"""`--quiet rules`, which `make run` asks for, hides what runs, and never why something failed.

Ctrl-C hides the failures of the jobs that it ends.
"""

import logging
import threading

import pytest
from snakemake.logging import DefaultFilter
from snakemake.settings.enums import Quietness
from snakemake.settings.types import OutputSettings
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_logger_plugin_weft import LogHandler, LogHandlerSettings
from weft import interrupt


@pytest.mark.parametrize(
    ("quiet", "event", "shown"),
    [
        (Quietness.RULES, LogEvent.JOB_INFO, False),
        (Quietness.RULES, LogEvent.JOB_ERROR, True),
        (Quietness.ALL, LogEvent.JOB_ERROR, False),
    ],
)
def test_a_quiet_run_shows_the_log_of_a_failed_job(quiet, event, shown):
    assert is_shown(event, {quiet}) == shown


@pytest.mark.parametrize(
    ("event", "shown"),
    [(LogEvent.JOB_ERROR, False), (LogEvent.GROUP_ERROR, False), (LogEvent.ERROR, True)],
)
def test_a_job_that_ctrl_c_ends_is_no_error(monkeypatch, event, shown):
    assert is_shown(event, set())
    interrupted = threading.Event()
    interrupted.set()
    monkeypatch.setattr(interrupt, "_ends_jobs", interrupted)
    assert is_shown(event, set()) == shown


def is_shown(event, quiet):
    handler = LogHandler(OutputSettings(quiet=quiet, dryrun=False), LogHandlerSettings())
    handler.addFilter(DefaultFilter(quiet, False, False, False, True))
    record = logging.makeLogRecord({"event": event, "levelno": logging.ERROR})
    try:
        return bool(handler.filter(record))
    finally:
        handler.close()
