"""`make serve` as a person starts it, to the first result, and Ctrl-C."""

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.parent import with_parent
from tests.patience import PATIENCE_S
from tests.service.conftest import OPEN, PASSWORD, ROOT, Browser, Site, free_port, wait_for

pytestmark = pytest.mark.slow


def below(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@pytest.mark.long("make_serve")
def test_make_serve_leads_to_a_result_and_ctrl_c_ends_everything(tmp_path: Path) -> None:
    port = free_port()
    site = Site(tmp_path, port, {"WEFT_SERVICE_LISTEN": f"127.0.0.1:{port}"})
    log = tmp_path / "serve.log"
    with log.open("wb") as output:
        serving = subprocess.Popen(
            with_parent(["make", "--no-print-directory", "serve"]),
            cwd=ROOT,
            env=site.environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        wait_for(lambda: "first account" in log.read_text() or serving.poll() is not None)
        assert f"weft: serving at {site.address}; Ctrl-C ends it" in log.read_text()
        found = re.search(r"^ +(\S+) (-m .+ createsuperuser)$", log.read_text(), re.M)
        assert found, log.read_text()
        # The line as printed, with what a person would type given beside it.
        made = subprocess.run(
            [found[1], *found[2].split(), "--noinput", "--email", "ann@example.org"],
            cwd=ROOT,
            env={**site.environment, "DJANGO_SUPERUSER_PASSWORD": PASSWORD},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert made.returncode == 0, made.stderr
        wait_for(site._answers)
        # A second one would take the token of the first one's worker.
        second = subprocess.run(
            ["make", "--no-print-directory", "serve"],
            cwd=ROOT,
            env={**site.environment, "WEFT_SERVICE_LISTEN": f"127.0.0.1:{free_port()}"},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert second.returncode != 0
        assert f"weft: another server works in {site.state}" in second.stderr
        ann = Browser(site.address)
        ann.log_in("ann@example.org")
        page = ann.submit().url
        wait_for(lambda: site.task() not in OPEN)
        assert site.task() == "done", ann.get(page).text
        assert ann.get(page + "archive.zip").status == 200
        started = below(serving)
        assert any("gunicorn" in command(each) for each in started)
        assert any("weft.service.worker.main" in command(each) for each in started)
        # A terminal sends Ctrl-C to all that it has in the foreground.
        os.killpg(serving.pid, signal.SIGINT)
        serving.wait(timeout=PATIENCE_S)
        wait_for(lambda: not [each for each in started if each.is_running()])
        assert not site._answers()
        assert "Traceback" not in log.read_text()
    finally:
        if serving.poll() is None:
            os.killpg(serving.pid, signal.SIGKILL)


@pytest.mark.long("service")
def test_an_address_that_is_taken_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        site = Site(tmp_path, more={"WEFT_SERVICE_LISTEN": listen})
        refused = subprocess.run(
            [sys.executable, "-m", "weft.service.serve"],
            cwd=ROOT,
            env=site.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"weft: cannot listen at {listen}: Address already in use")
    assert refused.stdout == ""


def serving_at(site: Site, log: Path, *before: str) -> subprocess.Popen[bytes]:
    """What `make serve` ends with, in a session as a terminal starts it, once it answers."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            with_parent([*before, sys.executable, "-m", "weft.service.serve"]),
            cwd=ROOT,
            env=site.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            # Whatever pytest was started with.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
        )
    wait_for(lambda: site._answers() or process.poll() is not None)
    assert process.poll() is None, log.read_text()
    return process


@pytest.mark.long("service")
@pytest.mark.parametrize("before", [(), ("nohup",)], ids=["plain", "nohup"])
def test_when_its_terminal_goes_all_ends_unless_nohup_keeps_it(
    tmp_path: Path, before: tuple[str, ...]
) -> None:
    port = free_port()
    site = Site(tmp_path, port, {"WEFT_SERVICE_LISTEN": f"127.0.0.1:{port}"})
    serving = serving_at(site, tmp_path / "serve.log", *before)
    try:
        wait_for(lambda: any("worker.main" in command(each) for each in below(serving)))
        started = [psutil.Process(serving.pid), *below(serving)]
        # A terminal that goes sends SIGHUP to all that it has in the foreground.
        os.killpg(serving.pid, signal.SIGHUP)
        if before:
            browser = Browser(site.address)
            assert browser.get("/accounts/log-in").status == 200
            assert all(each.is_running() for each in started)
            os.killpg(serving.pid, signal.SIGTERM)
        serving.wait(timeout=PATIENCE_S)
        wait_for(lambda: not [each for each in started if each.is_running()])
        assert not site._answers()
    finally:
        for each in (
            [*below(serving), psutil.Process(serving.pid)] if serving.poll() is None else []
        ):
            each.kill()
