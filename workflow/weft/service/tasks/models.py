"""Tasks and the files that came with them."""

from __future__ import annotations

import secrets
from pathlib import Path

from django.conf import settings
from django.db import models
from django.utils import timezone

from weft.service.queue.models import Queue, Worker


def unguessable() -> str:
    """A name of 192 random bits."""
    return secrets.token_urlsafe(24)


class State(models.TextChoices):
    """Where a task stands."""

    QUEUED = "queued", "waits in the queue"
    CLAIMED = "claimed", "is on its way to a worker"
    RUNNING = "running", "runs"
    #: Nothing of it runs any more; its worker still has it.
    PACKING = "packing", "was stopped; what it has finished is being packed"
    DONE = "done", "is done"
    FAILED = "failed", "has failed"
    STOPPED = "stopped", "was stopped"
    CANCELLED = "cancelled", "was cancelled"


#: States of tasks that a worker has, and of those that nothing follows.
HELD = (State.CLAIMED, State.RUNNING, State.PACKING)
OPEN = (State.QUEUED, *HELD)
#: Workers may report these: they have them, or fell silent after an interruption. Then nobody else
#: gets the task, its lease stays though it ran out, and what was finished may follow.
EXPECTED = models.Q(state__in=HELD) | models.Q(state=State.STOPPED, leased_until__isnull=False)


class Task(models.Model):
    """An experiment that somebody wants to have run."""

    name = models.CharField(max_length=40, unique=True, default=unguessable, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tasks"
    )
    experiment = models.CharField(max_length=64)
    experiment_yaml = models.TextField()
    title = models.CharField(max_length=300)
    template = models.CharField(max_length=100, blank=True)
    #: Digest of the page that was sent and of all that it sent: a second click finds the task.
    submission = models.CharField(max_length=64, blank=True)
    queue = models.ForeignKey(Queue, on_delete=models.PROTECT, related_name="tasks")
    timeout_s = models.PositiveIntegerField()
    #: Only a worker with all layers of confinement may have it.
    brings_program = models.BooleanField(default=False)
    planned_points = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    submitted_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    #: Who has it, until when, and the word by which the server knows that holder again.
    worker = models.ForeignKey(Worker, null=True, on_delete=models.SET_NULL, related_name="tasks")
    lease = models.CharField(max_length=64, blank=True)
    leased_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    stop_requested = models.BooleanField(default=False)
    points = models.PositiveIntegerField(default=0)
    points_ended = models.PositiveIntegerField(default=0)
    points_shared = models.PositiveIntegerField(default=0)
    log_tail = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    interrupted_at = models.DateTimeField(null=True)
    #: Digest of the page's password, if the owner shares the page.
    page_password = models.CharField(max_length=200, blank=True)
    result_bytes = models.PositiveBigIntegerField(null=True)
    result_sha256 = models.CharField(max_length=64, blank=True)
    #: Files that were too large to come back, one a line.
    left_out = models.TextField(blank=True)

    class Meta:
        """What queues and lists of tasks look up."""

        constraints = (
            models.UniqueConstraint(
                fields=["owner", "submission"],
                condition=~models.Q(submission=""),
                name="submitted_once",
            ),
        )
        indexes = (
            models.Index(fields=["state", "queue", "submitted_at"], name="waiting"),
            models.Index(fields=["owner", "-submitted_at", "-id"], name="in_list"),
            models.Index(fields=["state", "leased_until"], name="leases"),
            models.Index(fields=["expires_at"], name="expiry"),
        )

    def __str__(self) -> str:
        return f"{self.title} ({self.experiment})"

    @property
    def is_open(self) -> bool:
        """Whether something can still follow."""
        return self.state in OPEN

    @property
    def is_expected(self) -> bool:
        """Whether its worker may still report it; the same as `EXPECTED`."""
        silent = self.state == State.STOPPED and self.leased_until is not None
        return self.state in HELD or silent

    @property
    def account(self) -> str:
        """Why it ended as it did, and what has not come back."""
        if self.is_open or not self.is_expected:
            return str(self.reason)
        return f"{self.reason}; its worker fell silent before it sent what was finished"

    @property
    def folder(self) -> Path:
        """Where the result lies."""
        return Path(settings.STATE) / "results" / str(self.name)

    @property
    def archive(self) -> Path:
        """The ZIP of the result."""
        return self.folder / "result.zip"

    @property
    def report(self) -> Path:
        """The page of the result."""
        return self.folder / "report.html"


class TaskFile(models.Model):
    """A file that came with a task, under its path from the project."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()

    class Meta:
        """A path stands for one file."""

        constraints = (models.UniqueConstraint(fields=["task", "path"], name="one_file_a_path"),)

    def __str__(self) -> str:
        return str(self.path)
