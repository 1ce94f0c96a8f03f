"""A server of weft with its own state: real processes, a real database, a browser's requests."""

import http.cookiejar
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.chromium import browser
from tests.patience import PATIENCE_S

__all__ = ["browser"]

ROOT = Path(__file__).parents[2]
BINARY = ROOT / "simulators" / "target" / "release" / "weft-flow"
PASSWORD = "a-long-pass-phrase"
SMALL = """\
title: Small
question: Does it run?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
topology: {dimensions: 2}
sweep:
  topology.k: [4, 5]
"""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def wait_for(what: object, limit_s: float = PATIENCE_S) -> None:
    """Until `what()` holds; the limit is a safety net."""
    assert callable(what)
    end = time.monotonic() + limit_s
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.2)


@dataclass
class Answered:
    status: int
    url: str
    text: str
    content: bytes
    headers: dict[str, str]


class Browser:
    """Keeps cookies, follows links, sends forms with their tokens."""

    def __init__(self, address: str) -> None:
        self.address = address
        jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def get(self, path: str) -> Answered:
        return self._open(urllib.request.Request(self._url(path)))

    def post(self, path: str, at: str | None = None, **fields: str) -> Answered:
        """Send a form of the page `at`."""
        page = self.get(at or path)
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        token = found[1] if found else ""
        body = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": token}).encode()
        request = urllib.request.Request(self._url(path), body)
        request.add_header("Referer", self._url(path))
        return self._open(request)

    def upload(self, path: str, files: dict[str, tuple[str, bytes]], **fields: str) -> Answered:
        """Send a form with files, each as name and content by its field."""
        page = self.get(path)
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        boundary = b"weft-test-boundary"
        parts = [
            f'name="{key}"\r\n\r\n{value}'.encode()
            for key, value in {**fields, "csrfmiddlewaretoken": found[1] if found else ""}.items()
        ]
        for key, (name, content) in files.items():
            key = key.partition(" ")[0]
            parts.append(f'name="{key}"; filename="{name}"\r\n\r\n'.encode() + content)
        head = b"--" + boundary + b"\r\nContent-Disposition: form-data; "
        body = b"".join(head + part + b"\r\n" for part in parts) + b"--" + boundary + b"--\r\n"
        request = urllib.request.Request(self._url(path), body)
        request.add_header("Content-Type", f"multipart/form-data; boundary={boundary.decode()}")
        request.add_header("Referer", self._url(path))
        return self._open(request)

    def log_in(self, address: str, password: str = PASSWORD) -> Answered:
        return self.post("/accounts/log-in", username=address, password=password)

    def submit(self, text: str = SMALL, name: str = "small", timeout_s: int = 600) -> Answered:
        return self.post("/submit/yaml", name=name, yaml=text, timeout_s=str(timeout_s))

    def _url(self, path: str) -> str:
        return path if "://" in path else self.address + path

    def _open(self, request: urllib.request.Request) -> Answered:
        try:
            answer = self._opener.open(request, timeout=PATIENCE_S)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            content = answer.read()
            headers = {key.lower(): value for key, value in answer.headers.items()}
            text = content.decode(errors="replace")
            return Answered(answer.status or 0, answer.url or "", text, content, headers)


@dataclass
class Site:
    """One server: its state, its settings, its processes."""

    folder: Path
    port: int = field(default_factory=free_port)
    more: dict[str, str] = field(default_factory=dict)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        own = {
            "DJANGO_SETTINGS_MODULE": "weft.service.settings",
            "WEFT_SERVICE_STATE": str(self.folder / "state"),
            "WEFT_SERVICE_ADDRESS": self.address,
            "WEFT_SERVICE_LEASE_S": "20",
        }
        return {**os.environ, "WEFT_FLOW": str(BINARY), **own, **self.more}

    def manage(self, *words: str, text: str = "") -> str:
        command = [sys.executable, "-m", "weft.service.manage", *words]
        done = subprocess.run(
            command, env=self.environment, input=text, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def python(self, code: str) -> str:
        """Run code among the server's tables; returns what it prints."""
        head = "import django; django.setup()\n"
        done = subprocess.run(
            [sys.executable, "-c", head + code],
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def account(self, address: str) -> None:
        self.python(
            "from weft.service.accounts.models import Person\n"
            f"Person.objects.create_user({address!r}, {PASSWORD!r})"
        )

    def start_server(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{self.port}"]
        command += ["--workers", "1", "--threads", "4", "--no-control-socket"]
        command += ["weft.service.wsgi"]
        process = self._start(command, "server.log")
        wait_for(self._answers)
        return process

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False

    def start_worker(self, name: str = "one", *more: str) -> subprocess.Popen[bytes]:
        token = self.manage("add_worker", name)
        command = [sys.executable, "-m", "weft.service.worker.main", "--server", self.address]
        command += ["--token", token, "--folder", str(self.folder / name), "--poll-s", "0.2", *more]
        return self._start(command, f"{name}.log")

    def _start(self, command: list[str], log: str) -> subprocess.Popen[bytes]:
        with (self.folder / log).open("ab") as output:
            process = subprocess.Popen(
                command, env=self.environment, stdout=output, stderr=output, start_new_session=True
            )
        self.processes.append(process)
        return process

    def task(self, attribute: str = "state") -> str:
        """Something of the newest task."""
        return self.python(
            "from weft.service.tasks.models import Task\n"
            f"print(Task.objects.order_by('pk').last().{attribute})"
        )

    def confines(self) -> str:
        """What the newest worker has said that it lacks; empty where it lacks nothing."""
        return self.python(
            "from weft.service.queue.models import Worker\n"
            "print(Worker.objects.order_by('pk').last().missing_layers)"
        )

    def end(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            process.wait(timeout=PATIENCE_S)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server's state with its tables; nothing runs yet."""
    found = Site(tmp_path)
    found.manage("migrate", "--verbosity", "0")
    yield found
    found.end()


@pytest.fixture
def ann(site: Site) -> Browser:
    """Somebody who is logged in at a running server."""
    site.account("ann@example.org")
    site.start_server()
    browser = Browser(site.address)
    assert browser.log_in("ann@example.org").status == 200
    return browser
