"""`--quiet rules`, which `make run` asks for, hides what runs, and never why something failed."""

import logging

import pytest
from snakemake.logging import DefaultFilter
from snakemake.settings.enums import Quietness
from snakemake.settings.types import OutputSettings
from snakemake_interface_logger_plugins.common import LogEvent
from snakemake_logger_plugin_weft import LogHandler, LogHandlerSettings


@pytest.mark.parametrize(
    ("quiet", "event", "shown"),
    [
        (Quietness.RULES, LogEvent.JOB_INFO, False),
        (Quietness.RULES, LogEvent.JOB_ERROR, True),
        (Quietness.ALL, LogEvent.JOB_ERROR, False),
    ],
)
def test_a_quiet_run_shows_the_log_of_a_failed_job(quiet, event, shown):
    settings = OutputSettings(quiet={quiet}, dryrun=False)
    handler = LogHandler(settings, LogHandlerSettings())
    handler.addFilter(DefaultFilter({quiet}, False, False, False, True))
    record = logging.makeLogRecord({"event": event, "levelno": logging.ERROR})
    try:
        assert bool(handler.filter(record)) == shown
    finally:
        handler.close()
