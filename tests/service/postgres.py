"""A real PostgreSQL server of Debian's package, which a test starts, kills and starts again."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from tests.patience import PATIENCE_S
from tests.ports import free_port


def _tools() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        if "CI" in os.environ:
            pytest.fail("no PostgreSQL here")
        pytest.skip("no PostgreSQL here: install postgresql")
    return found[-1].parent


@dataclass
class Postgres:
    """A server with a folder and a port of its own; root cannot run it, `nobody` can."""

    folder: Path
    tools: Path = field(default_factory=_tools)
    port: int = field(default_factory=free_port)

    @property
    def address(self) -> str:
        return f"postgresql://weft@127.0.0.1:{self.port}/postgres"

    @property
    def _data(self) -> str:
        return f"{self.folder}/data"

    def make(self) -> None:
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
        kind = ("--username=weft", "--auth=trust", "--encoding=UTF8")
        self._run("initdb", *kind, "-D", self._data)

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

    def end(self) -> None:
        if Path(self._data, "postmaster.pid").exists():
            self._run("pg_ctl", "-w", "-D", self._data, "-m", "immediate", "stop")

    def _run(self, program: str, *words: str) -> None:
        become = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        command = [*(become if os.geteuid() == 0 else []), str(self.tools / program), *words]
        done = subprocess.run(
            command, cwd="/", capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def postgresql() -> Iterator[Postgres]:
    """A server that runs, with an empty database."""
    # Short, because the path of its socket has at most 107 characters.
    folder = Path(tempfile.mkdtemp(prefix="weft-", dir="/var/tmp"))
    found = Postgres(folder)
    try:
        found.make()
        found.start()
        yield found
    finally:
        try:
            found.end()
        finally:
            shutil.rmtree(folder)
