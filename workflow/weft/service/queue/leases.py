"""Giving tasks out and taking them back; the server's clock alone counts."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from weft.service.accounts.models import Person
from weft.service.protocol import Outcome, Progress
from weft.service.queue.models import Queue, Worker
from weft.service.tasks.mails import say_silent
from weft.service.tasks.models import HELD, State, Task


class LostError(Exception):
    """The task is not, or no longer, that of whoever asks."""


#: A lease is renewed when so much of it has passed, or something has changed.
_RENEWED = timedelta(seconds=settings.LEASE_S / 4)


def _until(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.LEASE_S)


def claim(worker: Worker, missing_layers: Sequence[str]) -> Task | None:
    """The next task for a worker: first of whoever has waited longest since the last one.

    On SQLite the transaction holds the database from its begin. On PostgreSQL a row that another
    worker is taking is skipped.
    """
    now = timezone.now()
    with transaction.atomic():
        holder = Worker.objects.select_for_update().get(pk=worker.pk)
        lacks = "\n".join(" ".join(each.split()) for each in missing_layers)
        if holder.missing_layers != lacks:
            holder.missing_layers = lacks
            holder.save(update_fields=["missing_layers"])
        if holder.draining or holder.revoked:
            return None
        queues = Queue.objects.filter(draining=False)
        if holder.queues.exists():
            queues = queues.filter(pk__in=holder.queues.values("pk"))
        waiting = Task.objects.filter(state=State.QUEUED, queue__in=queues)
        if missing_layers:
            waiting = waiting.filter(brings_program=False)
        order = (F("owner__served_at").asc(nulls_first=True), "submitted_at", "pk")
        locked = waiting.select_for_update(skip_locked=True, of=("self",))
        task: Task | None = locked.order_by(*order).first()
        if task is None:
            return None
        task.state, task.worker = State.CLAIMED, holder
        task.lease, task.leased_until = secrets.token_urlsafe(32), _until(now)
        task.attempts += 1
        task.save()
        Person.objects.filter(pk=task.owner_id).update(served_at=now)
    return task


def held(worker: Worker, name: str, lease: str) -> Task:
    """The task, locked; raises LostError if the worker's lease is not the last one."""
    tasks = Task.objects.select_for_update(of=("self",)).defer("experiment_yaml")
    task: Task | None = tasks.filter(name=name, worker=worker, lease=lease).first()
    if task is None or not lease:
        raise LostError
    return task


def accept(worker: Worker, name: str, lease: str) -> None:
    """The worker has the files, and they are whole: the task runs from now on."""
    with transaction.atomic():
        task = held(worker, name, lease)
        if task.state == State.CLAIMED:
            now = timezone.now()
            task.state, task.leased_until = State.RUNNING, _until(now)
            task.started_at = now
            task.save()
        elif task.state != State.RUNNING:
            raise LostError


def heartbeat(worker: Worker, name: str, told: Progress) -> str:
    """Renew the lease and note how far the task is; returns what to do."""
    with transaction.atomic():
        task = held(worker, name, told.lease)
        if task.state not in HELD:
            raise LostError
        now = timezone.now()
        changed = _note(task, told)
        # Each write waits for the disk, and workers call twice a second.
        if changed or task.leased_until is None or task.leased_until < _until(now) - _RENEWED:
            task.leased_until = _until(now)
            task.save()
        return "stop" if task.stop_requested else "go on"


def finish(worker: Worker, name: str, told: Outcome) -> Task | None:
    """End the task; None if this holder has ended it before, so that a repeated call harms nothing.

    Raises LostError for whoever does not hold it.
    """
    with transaction.atomic():
        task = held(worker, name, told.lease)
        if task.state not in HELD:
            return None
        now = timezone.now()
        _note(task, told)
        task.state, task.reason = State(told.outcome), told.reason.replace("\0", "")
        task.ended_at, task.leased_until = now, None
        task.interrupted_at = now if told.outcome == "stopped" else None
        task.expires_at = now + timedelta(days=settings.KEEP_DAYS)
        task.result_bytes, task.result_sha256 = told.result_bytes, told.result_sha256
        task.left_out = told.left_out.replace("\0", "")
        task.save()
    return task


def _note(task: Task, told: Progress | Outcome) -> bool:
    """Take over what a worker says; returns whether it is anything new."""
    before = (task.points, task.points_ended, task.points_shared, task.log_tail)
    task.points, task.points_ended = told.points, told.ended
    task.points_shared = told.shared
    # A database that has no NUL in texts refuses the whole row.
    task.log_tail = told.log_tail.replace("\0", "")
    return before != (task.points, task.points_ended, task.points_shared, task.log_tail)


def return_overdue() -> list[Task]:
    """Queue tasks again whose worker fell silent; after the last retry they fail.

    Returns the tasks that have failed. Administrators get a mail for every worker that fell silent.
    """
    now = timezone.now()
    overdue = Task.objects.filter(state__in=HELD, leased_until__lt=now)
    if not overdue.exists():
        return []
    failed, silent = [], set()
    with transaction.atomic():
        for task in overdue.select_for_update(skip_locked=True, of=("self",)):
            silent.add((str(task.worker), str(task)))
            task.lease, task.leased_until = "", None
            if task.stop_requested or task.attempts > settings.RETRIES:
                task.state, task.ended_at = State.FAILED, now
                task.expires_at = now + timedelta(days=settings.KEEP_DAYS)
                task.reason = f"its worker fell silent, {task.attempts} times"
                failed.append(task)
            else:
                task.state = State.QUEUED
            task.save()
    for worker, title in sorted(silent):
        say_silent(worker, title)
    return failed


def cancel_or_stop(task: Task) -> None:
    """Cancel a task that waits; ask the worker of one that runs to stop."""
    with transaction.atomic():
        now_held = Task.objects.select_for_update().get(pk=task.pk)
        if now_held.state == State.QUEUED:
            now_held.state, now_held.ended_at = State.CANCELLED, timezone.now()
            now_held.expires_at = now_held.ended_at + timedelta(days=settings.KEEP_DAYS)
        elif now_held.state in HELD:
            now_held.stop_requested = True
        now_held.save()
