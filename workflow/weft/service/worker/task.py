"""One task on a worker: from the offer to the result."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from pathlib import Path

from weft.engines import sandboxed
from weft.engines.shards import read_shard
from weft.files.layout import CLONE, RELATIVE, ExperimentFolder, Layout
from weft.service.project import make_project
from weft.service.protocol import (
    LOG_CHARACTERS,
    Interruption,
    Lease,
    Offer,
    Order,
    Outcome,
    Progress,
)  # fmt: skip
from weft.service.tasks.programs import are_programs, runs_strange_code
from weft.service.worker.account import RunAccount
from weft.service.worker.connection import AwayError, Connection, RefusedError, insist
from weft.service.worker.counts import PointCounts, plan_of
from weft.service.worker.jobs import cancel_jobs, cancelling
from weft.service.worker.process import ProcessGroup
from weft.service.worker.profile import submits_to_slurm
from weft.service.worker.receiving import receive
from weft.service.worker.room import is_full
from weft.service.worker.shared import PointCache
from weft.service.worker.uploading import upload

_LOOK_S = 0.5
#: How long a report waits for the server: at most so long, and never past the end of a time-out.
_HEARTBEAT_S = 3.0
_LEAST_S = 0.1
_SNAKEMAKE = "weft.launch"
_PLAN_S = 300
#: What is finished is packed within this time, whatever the task's time-out.
_PACK_S = 600
#: Bytes of what simulators leave, for one of an archive.
_LEFT_TO_PACKED = 4
_OF_SERVICE = ("WEFT_SERVICE_", "WEFT_WORKER_TOKEN", "DJANGO_SETTINGS_MODULE")
#: How long a result waits for a server that does not answer.
_PATIENCE_S = 3600


@dataclass(slots=True)
class TaskRun:
    """Runs an offered task in a folder of its own."""

    offer: Offer
    server: Connection
    folder: Path
    cache: PointCache
    profiles: Sequence[str] = ()
    #: Whether every simulator runs in a sandbox; without one no program of others runs.
    sandboxed: bool = False
    _counts: PointCounts | None = None
    _shared: int = 0
    _layout: Layout = field(init=False)
    _reason: str = ""

    def perform(self) -> None:
        """Do all of it; raises GoneError if the server took the task away."""
        try:
            self._layout = self._received()
        except OSError as error:
            self._give_up(error)
            return
        lease = Lease(lease=self.offer.lease).model_dump_json().encode()
        insist(lambda: self.server.call("POST", self._path("accept"), lease), _PATIENCE_S)
        try:
            self._perform()
        except OSError as error:
            self._give_up(error)
        finally:
            cancel_jobs(self._jobs)

    def _perform(self) -> None:
        order, code = self._planned()
        if order == "go on" and code == 0 and self._brings_program and not self.sandboxed:
            self._reason, code = "this worker cannot confine uploaded programs", 1
        elif order == "go on" and code == 0:
            order, code = self._command(
                _SNAKEMAKE, self._words([self._archive]), self.offer.timeout_s
            )
            # What has ended well before it could be stopped is done.
            order = "go on" if code == 0 else order
        if order == "stop":
            self._say_interrupted()
        if order == "stop" or code != 0:
            # Reports what is finished, without computing anything.
            words = self._words([self._archive, "--config", "partial=true"])
            self._command(_SNAKEMAKE, words, _PACK_S, deaf=True)
        plan = plan_of(self._experiment)
        if plan is not None:
            self.cache.store(plan, self._experiment)
        self._finish("stopped" if order == "stop" else "done" if code == 0 else "failed", code)

    def _say_interrupted(self) -> None:
        """Packing takes longer than ending everything: the task's page does not wait for it."""
        message = Interruption(lease=self.offer.lease, reason=self._reason)
        body = message.model_dump_json().encode()
        insist(lambda: self.server.call("POST", self._path("interrupted"), body), _PATIENCE_S)

    def _give_up(self, error: OSError) -> None:
        """The disk does not take the task: it fails with that, and leaves no folder behind."""
        shutil.rmtree(self.folder, ignore_errors=True)
        said = f"the worker cannot write to its disk: {error.strerror or error}"
        message = Outcome(lease=self.offer.lease, outcome="failed", reason=said)
        body = message.model_dump_json().encode()
        insist(lambda: self.server.call("POST", self._path("finish"), body), _PATIENCE_S)

    def _path(self, call: str) -> str:
        return f"tasks/{self.offer.task}/{call}"

    @property
    def _jobs(self) -> str:
        """How the names of the task's Slurm jobs begin; empty if it has none."""
        number = sha256(self.offer.task.encode()).hexdigest()[:16]
        return f"weft-{number}" if submits_to_slurm(self.profiles) else ""

    @property
    def _brings_program(self) -> bool:
        """Looked at here, too: what the planner has made of the experiment is what will run."""
        if are_programs(sent.path for sent in self.offer.files):
            return True
        orders = map(read_shard, self._experiment.orders())
        points = (point for order in orders for point in order["points"])
        return runs_strange_code(json.dumps(point["workload"]) for point in points)

    @property
    def _archive(self) -> str:
        return str(RELATIVE.archives.archive(self.offer.experiment))

    @property
    def _log(self) -> Path:
        return self.folder / "task.log"

    @property
    def _experiment(self) -> ExperimentFolder:
        return self._layout.results.experiment(self.offer.experiment)

    def _received(self) -> Layout:
        files = receive(
            self.offer.files,
            lambda sent: self.server.call("GET", self._path(f"files/{sent.sha256}")),
            _PATIENCE_S,
        )
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        offer = self.offer
        return make_project(self.folder, offer.experiment, offer.experiment_yaml, files)

    def _planned(self) -> tuple[str, int]:
        """Plan, then put what is known already into the journals."""
        words = [self._archive, *self.profiles]
        order, code = self._command("weft.service.worker.planning", words, _PLAN_S)
        plan = plan_of(self._experiment) if code == 0 else None
        if plan is not None:
            self._shared = self.cache.seed(plan, self._experiment)
        return order, code

    def _command(
        self, module: str, words: Sequence[str], most_s: float, *, deaf: bool = False
    ) -> tuple[str, int]:
        """Run a module; returns the server's last order and the exit code.

        One that is `deaf` does not stop for the server.
        """
        # What ran here before was this worker's, and ended with it: no log has to guess why.
        with suppress(OSError):
            os.truncate(self._experiment.lock, 0)
        environment = self._environment()
        group = ProcessGroup.start(module, words, self.folder, self._log, environment)
        order, began_s = "go on", time.monotonic()
        try:
            while group.ended() is None:
                left_s = most_s - (time.monotonic() - began_s)
                answer = self._report(min(_HEARTBEAT_S, max(_LEAST_S, left_s)))
                late = time.monotonic() - began_s >= most_s
                if late or (answer.order == "stop" and not deaf):
                    timed_out = f"the time-out of {most_s:g} s was reached"
                    self._reason = timed_out if late else answer.reason
                    order = "stop"
                    break
                time.sleep(min(_LOOK_S, max(0.0, left_s)))
        finally:
            # A command that has ended well has waited for its jobs.
            with cancelling(self._jobs if group.ended() != 0 else ""):
                group.end()
        return order, group.ended() or 0

    def _words(self, words: Sequence[str]) -> list[str]:
        """A command line of Snakemake; the names of its Slurm jobs say whose they are."""
        # By their places: a task's folder has no link that is called slurm, as a clone has one.
        chosen = [w for each in self.profiles for w in ("--profile", f"profiles/{each}")]
        if self._jobs:
            chosen += ["--weft-slurm-jobname-prefix", self._jobs]
        return [*words, *chosen]

    def _report(self, patience_s: float) -> Order:
        message = self._progress().model_dump_json().encode()
        try:
            answer = self.server.call("POST", self._path("heartbeat"), message, patience_s)
        except AwayError:
            # The task goes on; if the server is away for long, the lease runs out.
            return Order(order="go on")
        return Order.model_validate_json(answer)

    def _progress(self) -> Progress:
        if self._counts is None:
            self._counts = PointCounts(self._experiment)
        points, ended = self._counts.now()
        return Progress(
            lease=self.offer.lease,
            points=points,
            ended=ended,
            shared=self._shared,
            log_tail=self._tail(),
        )

    def _append(self, lines: str) -> None:
        with suppress(OSError), self._log.open("a") as file:
            file.write(lines)

    def _environment(self) -> dict[str, str]:
        """Of this process, without what belongs to the service."""
        found = {key: value for key, value in os.environ.items() if not key.startswith(_OF_SERVICE)}
        if not self.sandboxed:
            return found
        most_bytes = str(_LEFT_TO_PACKED * self.offer.result_bytes)
        # A site may set lower limits.
        limits = {sandboxed.WALL: str(self.offer.timeout_s), sandboxed.OUTPUT: most_bytes}
        return {**limits, **found, sandboxed.VARIABLE: "required"}

    def _tail(self) -> str:
        try:
            with self._log.open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - LOG_CHARACTERS))
                text = file.read().decode(errors="replace")
        except OSError:
            return ""
        return self._plain(text)[-LOG_CHARACTERS:]

    def _plain(self, text: str) -> str:
        """A text for everybody who sees the task's page: the worker's folders are nobody's."""
        return text.replace(str(self.folder), ".").replace(str(CLONE), "weft")

    def _finish(self, outcome: str, code: int) -> None:
        archive = self._layout.archives.archive(self.offer.experiment)
        size, digest = None, ""
        if archive.is_file():
            size = archive.stat().st_size
            with archive.open("rb") as file:
                digest = file_digest(file, "sha256").hexdigest()
            try:
                upload(archive, self.server, self._path("result"), self.offer.lease, _PATIENCE_S)
            except RefusedError as error:
                size, digest, outcome = None, "", "failed"
                self._reason = str(error)
        # Counted anew: a count of a moment ago may lack what was finished since.
        self._counts = None
        plan = plan_of(self._experiment)
        ran = RunAccount.of(plan, self._experiment) if plan else RunAccount()
        because = f"the run ended with {code}; see the log" if code else ""
        if code and is_full(self.folder):
            because = "the worker's disk is full"
        reason = "\n".join(filter(None, (self._reason or because, ran.failures)))
        self._append(ran.confinement)
        ended = {
            "outcome": outcome,
            "reason": self._plain(reason)[:5000],
            "left_out": self._plain(ran.left_out)[:20_000],
            "result_bytes": size,
            "result_sha256": digest,
        }
        message = Outcome.model_validate({**self._progress().model_dump(), **ended})
        body = message.model_dump_json().encode()
        insist(lambda: self.server.call("POST", self._path("finish"), body), _PATIENCE_S)
        shutil.rmtree(self.folder, ignore_errors=True)
