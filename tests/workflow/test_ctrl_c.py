"""Ctrl-C at any moment: one line before the first job, and nothing lost after it."""

import os
import signal
import subprocess
import sys
import threading

import pytest
from weft.interrupt import RESUMES

from tests.patience import PATIENCE_S, wait_until
from tests.workflow.conftest import SNAKEMAKE, Project
from tests.workflow.test_kills import FINISHED, POINTS, SLOW, check_nothing_lost_or_doubled

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]

CTRL_C = "os.kill(os.getpid(), signal.SIGINT)"
LINE = "weft: interrupted before anything ran\n"


LAUNCH = [sys.executable, "-m", "weft.launch"]
WEFT = [sys.executable, "-m", "weft.command.main"]


def start(project, *arguments, program=SNAKEMAKE):
    """A program as a shell starts it: in a group of its own, whatever pytest was started with."""
    return subprocess.Popen(
        [*program, *arguments],
        cwd=project.folder,
        env=project.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def insert(path, before, text):
    whole = path.read_text()
    assert before in whole
    path.write_text(whole.replace(before, text + before, 1))


#: Where it is pressed; whether a command only looks is known when there is a job graph.
IN_PROFILE = (
    "profiles/default/config.yaml",
    "\nrerun-incomplete",
    f"  - import os, signal\n  - {CTRL_C}\n",
)
IMPORTING = ("workflow/weft/config/__init__.py", "from weft", f"import os, signal\n{CTRL_C}\n")
IN_GRAPH = ("Snakefile", "\nonstart:", f"import os, signal\n{CTRL_C}\n")


@pytest.mark.parametrize(
    ("file", "before", "text", "look"),
    [(*IN_PROFILE, ()), (*IMPORTING, ()), (*IN_GRAPH, ()), (*IN_GRAPH, ("-n",))],
    ids=["profile", "while importing", "job graph", "job graph of a look"],
)
def test_before_the_first_job_it_is_one_line(tmp_path, file, before, text, look):
    project = Project(tmp_path)
    project.small("early", [3])
    insert(project.folder / file, before, text)
    aside = tmp_path / "aside"
    aside.mkdir()
    project.environment["TMPDIR"] = str(aside)
    process = start(project, "results/early/collected.json", *look)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, output
    assert output.endswith(LINE)
    assert "Traceback" not in output
    assert not list(aside.glob("weft-*"))


@pytest.mark.parametrize(
    ("program", "arguments", "imported"),
    [
        (LAUNCH, ("-n", "results/early/collected.json"), "snakemake"),
        (WEFT, ("run", "early", "-n"), "snakemake"),
        (WEFT, ("list",), "weft.config"),
    ],
    ids=["make run", "weft run", "weft list"],
)
def test_while_the_first_modules_are_imported_it_is_one_line(
    tmp_path, program, arguments, imported
):
    project = Project(tmp_path)
    project.small("early", [3])
    # Python then prints the name of each module, after it has imported it.
    project.environment |= {"PYTHONPROFILEIMPORTTIME": "1", "WEFT_PROJECT": str(project.folder)}
    process = start(project, *arguments, program=program)
    next(line for line in process.stdout if line.split("|")[-1].strip().startswith(imported))
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, output
    assert output.endswith(LINE)
    assert "Traceback" not in output


def test_while_a_job_imports_its_modules_it_is_one_message(tmp_path):
    project = Project(tmp_path)
    project.small("early", [3])
    file = project.folder / "workflow/weft/engines/execute.py"
    insert(file, "\nimport fcntl\n", f"\nimport os, signal\n{CTRL_C}\n")
    ended = project.run("reports/early.html")
    assert ended.code == 1
    assert "interrupted: the same command resumes" in ended.output
    assert "Traceback" not in ended.output


def test_sigterm_ends_a_run_whatever_snakemake_does_at_that_moment(tmp_path):
    project = Project(tmp_path)
    project.small("ended", [3])
    term = "os.kill(os.getpid(), signal.SIGTERM)"
    # Snakemake holds this lock while it selects jobs, and takes it when the signal comes.
    locked = f"    import os, signal\n    with workflow.scheduler._lock:\n        {term}\n"
    insert(project.folder / "Snakefile", "    begin(schedule", locked)
    process = start(project, "results/ended/collected.json")
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1, output
    assert "Will exit after finishing currently running jobs" in output
    assert "Traceback" not in output


@pytest.mark.parametrize(
    ("name", "program", "arguments"),
    [
        ("interrupted", SNAKEMAKE, ("results/interrupted/collected.json",)),
        ("interrupted_too", WEFT, ("run", "interrupted_too")),
    ],
    ids=["snakemake", "weft run"],
)
def test_in_a_simulation_what_is_finished_stays(project, name, program, arguments):
    project.write(name, SLOW)
    project.environment["WEFT_PROJECT"] = str(project.folder)
    process = start(project, *arguments, program=program)
    project.wait_for_lines(name, FINISHED)
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1, output
    assert output.endswith(f"weft: {RESUMES}\n")
    assert "Error in rule" not in output
    assert "Traceback" not in output
    wait_until(lambda: not project.simulator_pids())
    lines = project.wait_for_lines(name, FINISHED)
    assert f"{name}: {POINTS} points: {len(lines)} done, {POINTS - len(lines)} missing" in output
    check_nothing_lost_or_doubled(project, name, lines)


def read_until(process, words):
    """What it prints up to the line with these words."""
    printed = []
    too_long = threading.Timer(PATIENCE_S, os.killpg, (process.pid, signal.SIGKILL))
    too_long.start()
    try:
        for line in process.stdout:
            printed.append(line)
            if words in line:
                return "".join(printed)
    finally:
        too_long.cancel()
    raise AssertionError("".join(printed))


@pytest.mark.parametrize("leaves", [False, True], ids=["twice", "three times"])
def test_once_more_while_jobs_end(project, leaves):
    name = "left" if leaves else "impatient"
    project.write(name, SLOW)
    process = start(project, f"results/{name}/collected.json")
    project.wait_for_lines(name, FINISHED)
    [simulator] = project.simulator_pids()
    # Its job cannot end, so that there is time to be impatient.
    os.kill(simulator, signal.SIGSTOP)
    os.kill(process.pid, signal.SIGINT)
    read_until(process, "Terminating processes on user request")
    os.kill(process.pid, signal.SIGINT)
    read_until(process, "weft: its jobs are ending; Ctrl-C once more does not wait for them")
    if leaves:
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(timeout=PATIENCE_S) == 130
        read_until(process, "weft: left its jobs; what they have finished stays")
    os.kill(simulator, signal.SIGCONT)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert leaves or process.returncode == 1, output
    assert "Traceback" not in output
    check_nothing_lost_or_doubled(project, name, project.wait_for_lines(name, FINISHED))


def test_a_second_one_of_a_terminal_is_none_of_a_traceback(project):
    project.write("pressed", SLOW)
    process = start(project, "results/pressed/collected.json")
    project.wait_for_lines("pressed", FINISHED)
    os.killpg(process.pid, signal.SIGINT)
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 1, output
    assert "Traceback" not in output
    wait_until(lambda: not project.simulator_pids())
    lines = project.wait_for_lines("pressed", FINISHED)
    check_nothing_lost_or_doubled(project, "pressed", lines)
