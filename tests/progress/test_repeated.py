"""A log without a terminal gets a progress line when something has changed, else rarely."""

from snakemake.settings.types import OutputSettings
from snakemake_logger_plugin_weft import LogHandler, LogHandlerSettings
from weft.progress import Repeated, ShardWatch, begin, run

from tests.patience import wait_until


def printed(counts_by_tick: list[int], interval_s: float = 30.0) -> list[int]:
    """The ticks at which a line is printed."""
    repeated = Repeated(interval_s)
    ticks = enumerate(counts_by_tick, 1)
    return [n for n, counts in ticks if repeated.is_due(counts, n * interval_s)]


def test_a_slow_point_is_repeated_at_growing_intervals():
    assert printed([0] * 41) == [1, 2, 4, 8, 16, 32]


def test_a_change_is_printed_at_once_and_begins_anew():
    assert printed([0] * 9 + [1] * 5 + [2, 3, 3]) == [1, 2, 4, 8, 10, 11, 13, 15, 16, 17]


def test_the_log_of_a_slow_point_has_few_lines(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(LogHandler, "_interval_s", 0.02)
    watch = ShardWatch("flow", tmp_path, 1)
    monkeypatch.setattr(run, "_running", [])
    begin([watch])
    looks = []
    monkeypatch.setattr(ShardWatch, "look", lambda self: looks.append(1))
    handler = LogHandler(OutputSettings(dryrun=False), LogHandlerSettings())
    try:
        wait_until(lambda: len(looks) >= 40, "40 looks")
    finally:
        handler.close()
    lines = capsys.readouterr().err.count("0 of 1 points")
    assert 2 <= lines <= 8
