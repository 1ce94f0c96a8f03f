"""A person with nothing but a browser: from the application to the result, on a real server with a
real worker. One walk over all pages; each test asks for one thing of it."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.service.walk import Walk, walk

__all__ = ["walk"]
pytestmark = [pytest.mark.slow, pytest.mark.long("service_in_browser")]


def test_a_mistake_stands_beside_its_field_and_what_was_written_stays(walk: Walk) -> None:
    assert "like '2 KiB'" in walk.seen["beside the field"]
    assert walk.seen["kept"] == "5"


def test_a_form_shows_its_plan_before_it_is_submitted(walk: Walk) -> None:
    assert "1 point." in walk.seen["plan"]
    assert "message_size: 2 KiB" in walk.seen["plan"]


def test_a_task_that_waits_is_cancelled(walk: Walk) -> None:
    assert walk.seen["queued"] == "waits in the queue"
    assert walk.seen["cancelled"] == "was cancelled"


def test_the_page_of_a_task_counts_points_without_being_loaded_anew(walk: Walk) -> None:
    assert walk.stayed
    assert "1 of 1" in walk.seen["done"]


def test_the_figures_of_the_report_are_drawn(walk: Walk) -> None:
    assert walk.charts
    assert all(walk.charts.values()), walk.charts


def test_the_archive_arrives_whole(walk: Walk) -> None:
    with zipfile.ZipFile(walk.archive) as archive:
        assert archive.testzip() is None
        assert {"SHA256SUMS", "Makefile", "reports/small.html"} <= set(archive.namelist())


def test_the_archive_rebuilds_its_page_with_equal_figures(walk: Walk, tmp_path: Path) -> None:
    with zipfile.ZipFile(walk.archive) as archive:
        archive.extractall(tmp_path)
    # With the packages of this Python instead of a fresh download of them.
    command = ["make", "--no-print-directory", "rebuild", f"BIN={sys.executable} -P"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"rebuilt/reports/small.html: \d+ figures? with \d+ rows?, equal", done.stdout)


def test_a_program_of_two_files_of_cpp_is_brought_in_the_form(walk: Walk) -> None:
    if walk.lacks:
        if os.environ.get("CI", "").lower() in ("true", "1"):
            pytest.fail(walk.lacks)
        pytest.skip(walk.lacks)
    assert "It can run: 1 point" in walk.seen["program"]
    assert "is done" in walk.seen["program ended"]
    assert "1 of 1" in walk.seen["program ended"]


def test_mails_lead_in_and_say_that_tasks_have_ended(walk: Walk) -> None:
    subjects = [str(mail) for mail in walk.mailbox.texts()]
    assert "asked weft for an account with your mail address" in subjects[0]
    assert any("Your task 'Messages as flows' is done." in text for text in subjects)
    assert any("silent" in text or "It had the task" in text for text in subjects)


def test_a_task_that_runs_is_stopped_and_shows_what_was_finished(walk: Walk) -> None:
    assert walk.seen["running"] == "runs"
    assert "its owner stopped it" in walk.seen["stopped"]
    assert "Interrupted" in walk.seen["stopped"]


def test_a_task_that_failed_says_why(walk: Walk) -> None:
    assert "its worker fell silent" in walk.seen["failed"]


def test_a_task_that_was_stopped_in_silence_says_what_may_follow(walk: Walk) -> None:
    assert "its owner stopped it; its worker fell silent" in walk.seen["stopped in silence"]
    assert "If the worker comes back, it sends what was finished" in walk.seen["stopped in silence"]


def test_a_result_expires_and_its_page_goes(walk: Walk) -> None:
    assert "The result has expired." in walk.seen["expired"]
    assert "no such page for you" in walk.seen["gone"]


def test_a_wrong_experiment_file_is_refused_in_the_words_of_the_command_line(walk: Walk) -> None:
    assert "did you mean 'flow'?" in walk.seen["wrong YAML"]


def test_no_page_is_wider_than_the_screen(walk: Walk) -> None:
    assert len(walk.screen.looked) > 20
    assert "\n".join(walk.screen.wide) == ""


def test_the_console_stays_quiet(walk: Walk) -> None:
    assert "\n".join(walk.screen.console) == ""


def test_no_page_violates_wcag_2_1_at_levels_a_and_aa(walk: Walk) -> None:
    assert "\n".join(walk.screen.violations) == ""
