"""A real PostgreSQL server of Debian's package, which a test starts, kills and starts again."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from tests.missing import missing
from tests.patience import PATIENCE_S
from tests.ports import free_port
from tests.service.own_site import Site


def _tools() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        missing("no PostgreSQL here")
    return found[-1].parent


@dataclass
class Postgres:
    """A server with a folder and a port of its own; root cannot run it, `nobody` can."""

    folder: Path
    tools: Path
    port: int = field(default_factory=free_port)

    @property
    def address(self) -> str:
        return f"postgresql://weft@127.0.0.1:{self.port}/postgres"

    @property
    def _data(self) -> str:
        return f"{self.folder}/data"

    @classmethod
    @contextmanager
    def in_folder(cls) -> Iterator[Postgres]:
        """A server in a folder of its own; nothing is left of both."""
        tools = _tools()
        # Short, because the path of its socket has at most 107 characters.
        found = cls(Path(tempfile.mkdtemp(prefix="weft-", dir="/var/tmp")), tools)
        if os.geteuid() == 0:
            shutil.chown(found.folder, "nobody", "nogroup")
        try:
            yield found
        finally:
            try:
                found.end()
            finally:
                shutil.rmtree(found.folder)

    def make(self) -> None:
        kind = ("--username=weft", "--auth=trust", "--encoding=UTF8")
        self._run("initdb", *kind, "-D", self._data)

    def copy_of(self, other: Postgres) -> None:
        """Begin with what a server that has ended kept."""
        self._run("cp", "-a", other._data, self._data)

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        log = f"{self.folder}/log"
        self._run("pg_ctl", "-w", "-D", self._data, "-l", log, "-o", options, "start")

    def kill(self) -> None:
        """Every process of it at once, by SIGKILL."""
        number = int(Path(self._data, "postmaster.pid").read_text().split()[0])
        head = psutil.Process(number)
        processes = [head, *head.children(recursive=True)]
        for each in processes:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        psutil.wait_procs(processes, timeout=PATIENCE_S)

    def end(self, mode: str = "immediate") -> None:
        if Path(self._data, "postmaster.pid").exists():
            self._run("pg_ctl", "-w", "-D", self._data, "-m", mode, "stop")

    def _run(self, program: str, *words: str) -> None:
        become = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        own = self.tools / program
        program = str(own) if own.exists() else program
        command = [*(become if os.geteuid() == 0 else []), program, *words]
        done = subprocess.run(
            command, cwd="/", capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def tables_of_postgresql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A PostgreSQL that has ended, with all tables and no rows: making them takes seconds."""
    with Postgres.in_folder() as made:
        made.make()
        made.start()
        settings = {"WEFT_SERVICE_DATABASE": made.address}
        Site(tmp_path_factory.mktemp("tables"), more=settings).manage("migrate", "--verbosity", "0")
        made.end("fast")
        yield made


@pytest.fixture
def postgresql(tables_of_postgresql: Postgres) -> Iterator[Postgres]:
    """A server that runs, with tables that nobody has used."""
    with Postgres.in_folder() as found:
        found.copy_of(tables_of_postgresql)
        found.start()
        yield found


@pytest.fixture
def on_postgresql(tmp_path: Path, postgresql: Postgres) -> Iterator[Site]:
    """The same with PostgreSQL."""
    found = Site(tmp_path, more={"WEFT_SERVICE_DATABASE": postgresql.address})
    yield found
    found.end()
