"""The progress line beside Snakemake's own messages, on a terminal and without one."""

import os
import pty
import re
import select
import subprocess

import pytest

from tests.patience import PATIENCE_S
from tests.workflow.conftest import SNAKEMAKE, Project

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]


def test_without_a_terminal_the_line_is_printed_now_and_then(project: Project) -> None:
    project.small("watched", [3, 4])
    done = project.run("--logger-weft-interval", "1", "results/watched/collected.json")
    assert done.code == 0, done.output
    lines = re.findall(r"^weft: (\d) of 2 points · flow \1/2", done.output, re.MULTILINE)
    assert lines[-1] == "2"
    assert "steps (100%) done" in done.output


def test_on_a_terminal_it_stays_below_the_messages_and_then_goes(project: Project) -> None:
    project.small("watched_live", [5, 6])
    output = _in_terminal(project, "results/watched_live/collected.json")
    assert "2 of 2 points" in output
    assert "Finished jobid: 0" in output
    hidden, shown = output.rfind("\x1b[?25l"), output.rfind("\x1b[?25h")
    assert 0 <= hidden < shown, "the cursor stays hidden"


def test_a_dry_run_has_no_line(project: Project) -> None:
    project.small("watched_dry", [3])
    done = project.run("--dry-run", "--logger-weft-interval", "1", "reports/watched_dry.html")
    assert done.code == 0
    assert "of 1 points" not in done.output


def _in_terminal(project: Project, *arguments: str) -> str:
    ours, theirs = pty.openpty()
    environment = {**project.environment, "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen(
        [*SNAKEMAKE, *arguments],
        cwd=project.folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    output = b""
    while select.select([ours], [], [], PATIENCE_S)[0]:
        try:
            block = os.read(ours, 4096)
        except OSError:  # Linux reports the end of a terminal as an error
            break
        if not block:
            break
        output += block
    assert process.wait(timeout=PATIENCE_S) == 0, output.decode()
    return output.decode(errors="replace")
