"""A server of weft with its own state: real processes, a real database."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from tests.parent import with_parent
from tests.patience import PATIENCE_S
from tests.ports import free_port
from tests.service.person import PASSWORD
from tests.service.shell import Shell

ROOT = Path(__file__).parents[2]
#: States of a task that another one follows.
OPEN = ("queued", "claimed", "running", "packing")
BINARY = ROOT / "simulators" / "target" / "release" / "weft-flow"


def wait_for(what: object, limit_s: float = PATIENCE_S, pause_s: float = 0.2) -> None:
    """Until `what()` holds; the limit is a safety net."""
    assert callable(what)
    end = time.monotonic() + limit_s
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(pause_s)


@dataclass
class Site:
    """One server: its state, its settings, its processes."""

    folder: Path
    port: int = field(default_factory=free_port)
    more: dict[str, str] = field(default_factory=dict)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    #: What the server keeps; a site of one test may be that of a server which others use, too.
    state: Path = Path()
    _shell: Shell | None = None

    def __post_init__(self) -> None:
        if self.state == Path():
            self.state = self.folder / "state"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        own = {
            "DJANGO_SETTINGS_MODULE": "weft.service.settings",
            "WEFT_SERVICE_STATE": str(self.state),
            "WEFT_SERVICE_ADDRESS": self.address,
            "WEFT_SERVICE_LEASE_S": "20",
        }
        return {**os.environ, "WEFT_FLOW": str(BINARY), **own, **self.more}

    def manage(self, *words: str, text: str = "") -> str:
        """A command as an administrator gives it."""
        done = subprocess.run(
            [sys.executable, "-m", "weft.service.manage", *words],
            env=self.environment,
            input=text,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def python(self, code: str) -> str:
        """Run code among the server's tables; returns what it prints."""
        # What pytest sets anew for each test is no setting.
        wanted = {k: v for k, v in self.environment.items() if k != "PYTEST_CURRENT_TEST"}
        if self._shell is not None and self._shell.environment != wanted:
            self._shell.end()
            self._shell = None
        if self._shell is None:
            self._shell = Shell(wanted, self.folder / "shell.log")
        return self._shell.run(code)

    def token(self, name: str) -> str:
        """A worker's token, from the command that makes workers."""
        called = f"call_command('add_worker', {name!r})"
        return self.python(f"from django.core.management import call_command\n{called}")

    def account(self, address: str) -> None:
        self.python(
            "from weft.service.accounts.models import Person\n"
            f"Person.objects.create_user({address!r}, {PASSWORD!r})"
        )

    def start_server(self, **more: str) -> subprocess.Popen[bytes]:
        """The server, with `more` in its environment alone."""
        command = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{self.port}"]
        command += ["--workers", "1", "--threads", "4", "--no-control-socket"]
        command += ["weft.service.wsgi"]
        process = self._start(command, "server.log", **more)
        wait_for(lambda: self._answers() or process.poll() is not None)
        assert process.poll() is None, (self.folder / "server.log").read_text()
        return process

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False

    def start_worker(self, name: str = "one", *more: str) -> subprocess.Popen[bytes]:
        return self.start_worker_with(self.token(name), name, *more)

    def start_worker_with(
        self, token: str, name: str = "one", *more: str
    ) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "weft.service.worker.main", "--server", self.address]
        command += ["--token", token, "--folder", str(self.folder / name), "--poll-s", "0.2", *more]
        return self._start(command, f"{name}.log")

    def _start(self, command: list[str], log: str, **more: str) -> subprocess.Popen[bytes]:
        environment = {**self.environment, **more}
        with (self.folder / log).open("ab") as output:
            process = subprocess.Popen(
                with_parent(command),
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def task(self, attribute: str = "state") -> str:
        """Something of the newest task."""
        return self._newest("tasks", "Task", attribute)

    def confines(self) -> str:
        """What the newest worker has said that it lacks; empty where it lacks nothing."""
        return self._newest("queue", "Worker", "missing_layers")

    def _newest(self, app: str, model: str, attribute: str) -> str:
        """Asked again and again: a process that loads Django takes a second of processor time."""
        if "WEFT_SERVICE_DATABASE" in self.more:
            code = f"from weft.service.{app}.models import {model}\n"
            return self.python(f"{code}print({model}.objects.order_by('pk').last().{attribute})")
        database = sqlite3.connect(self.database, timeout=PATIENCE_S)
        try:
            asked = f"SELECT {attribute} FROM {app}_{model.lower()} ORDER BY id DESC LIMIT 1"
            (found,) = database.execute(asked).fetchone()
        finally:
            database.close()
        return str(found)

    @property
    def database(self) -> Path:
        """Where the tables are, unless the site names another database."""
        return self.state / "service.sqlite3"

    def end(self) -> None:
        if self._shell is not None:
            self._shell.end()
            self._shell = None
        for process in self.processes:
            if process.poll() is None:
                process.terminate()
        late = [process for process in self.processes if not ends(process)]
        for process in late:
            # Each is in a session of its own.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=PATIENCE_S)
        assert not late, f"did not end: {[process.args for process in late]}"


def ends(process: subprocess.Popen[bytes]) -> bool:
    """Whether a process ends within the patience of tests."""
    try:
        process.wait(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        return False
    return True
