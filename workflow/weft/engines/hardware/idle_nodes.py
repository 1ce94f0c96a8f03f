"""Nodes of an allocation that a narrow point leaves idle: they simulate until one needs them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from weft.engines.base import ShardJob
from weft.engines.hardware.command import Launch, launcher_command
from weft.engines.hardware.errors import MeasurementError, last_lines
from weft.engines.hardware.host_file import NAME, write_host_file
from weft.engines.hardware.site import Site, read_site
from weft.engines.lifeline import ending_with_us
from weft.files.layout import ShardFolder
from weft.scheduler import scheduler_here

#: What starts on an idle node, and how it ends where others compute all that is left.
MODULE, OTHERS_AT_WORK = "weft.idle", 75
#: What launchers and simulations print, in the folder of the measured shard.
LOG = "idle.log"
#: How long a launcher may take to end what it started; it asks other nodes.
ENDING_S = 30.0


class IdleNodes:
    """The nodes of a job that has `nodes`, where its machine file lets idle ones simulate.

    A node is known by its place in the allocation: points are measured on the first ones. What
    simulates ends before its node is measured: a simulation that were stopped and went on later
    would hold memory there, and would report a wrong time.
    """

    def __init__(self, job: ShardJob, nodes: int) -> None:
        self._job = job
        self._left = nodes if job.machine.simulates_when_idle else 0
        self._running: dict[int, tuple[subprocess.Popen[bytes], ExitStack]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end(range(self._left))
        (self._job.directory / LOG).unlink(missing_ok=True)

    def make_room(self, needed: int) -> int:
        """End simulations on the first `needed` nodes, and start them on the others; how many of
        these simulate then.

        Does nothing more once nothing is left to simulate, or where simulations cannot start.
        """
        self._look()
        self._end(range(min(needed, self._left)))
        for node in range(needed, self._left):
            if node not in self._running:
                self._start(node)
        return len(self._running)

    def _look(self) -> None:
        """Forget what has ended by itself."""
        for node, (process, stack) in [*self._running.items()]:
            code = process.poll()
            if code is None:
                continue
            stack.close()
            del self._running[node]
            if code == OTHERS_AT_WORK:
                continue
            if code != 0:
                self._say(f"node {node + 1} of the allocation cannot simulate (exit code {code})")
            self._end([*self._running])
            self._left = 0
            return

    def _start(self, node: int) -> None:
        try:
            site = read_site(self._job.machine)
        except MeasurementError:
            return  # the point says so
        words = self._words(site, node)
        if not words:
            self._say(f"{scheduler_here().name} does not name the nodes of its job: none simulates")
            self._left = 0
            return
        experiment = ShardFolder(self._job.directory).experiment.path
        command = [*words, sys.executable, "-m", MODULE, str(Path.cwd()), str(experiment)]
        stack = ExitStack()
        with (self._job.directory / LOG).open("ab") as log:
            process = stack.enter_context(
                ending_with_us(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    env=_environment(site),
                    start_new_session=True,
                )
            )
        self._running[node] = process, stack

    def _words(self, site: Site, node: int) -> list[str] | None:
        """How the machine's launcher starts one process on the node; None where it cannot."""
        started = Launch(
            launcher=str(site.launcher),
            style=site.style,
            flavour=site.flavour,
            ranks=1,
            ranks_per_node=1,
            pmi="none",
            as_root=os.geteuid() == 0,
            variables=sorted({*site.variables, "PATH", "PYTHONPATH"} & {*site.environment}),
            arguments=self._job.machine.launcher_arguments,
            first_node=node,
            template=self._job.machine.launcher_template,
        )
        if site.style == "srun":
            return launcher_command(started)
        hosts = scheduler_here().hosts()
        if len(hosts) <= node:
            return None
        file = write_host_file(self._job.directory, started, hosts, f"{NAME}-{node}")
        return launcher_command(replace(started, host_file=file))

    def _end(self, nodes: Iterable[int]) -> None:
        """End what simulates on the nodes, and wait until it is gone."""
        ending = [self._running.pop(node) for node in nodes if node in self._running]
        for process, _ in ending:
            process.terminate()
        for process, stack in ending:
            try:
                process.wait(ENDING_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            stack.close()

    def _say(self, text: str) -> None:
        """In the log of the job, with the last that was printed there."""
        printed = self._job.directory / LOG
        with self._job.log.open("a") as file:
            file.write(text + "\n")
            if printed.is_file():
                file.write(last_lines(printed.read_text(errors="replace")) + "\n")


def _environment(site: Site) -> dict[str, str]:
    """With the modules that the launcher may need; variables for ranks are not for simulations."""
    own = {name: os.environ.get(name) for name in site.variables}
    return {name: value for name, value in {**site.environment, **own}.items() if value is not None}
