"""Giving tasks out and taking them back; the server's clock alone counts."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone

from weft.service.accounts.models import Person
from weft.service.protocol import Order, Outcome, Progress
from weft.service.queue.models import Queue, Worker
from weft.service.queue.unsynced import unsynced
from weft.service.tasks.mails import say_silent
from weft.service.tasks.models import EXPECTED, HELD, State, Task


class LostError(Exception):
    """The task does not, or no longer, belong to the worker that asks."""


#: A lease is renewed when so much of it has passed, or something has changed.
_RENEWED = timedelta(seconds=settings.LEASE_S / 4)
#: What a worker reports of a task, and what its end sets beside it. Nothing else is written: each
#: column costs, changed or not.
_NOTED = ("points", "points_ended", "points_shared", "log_tail")
_ENDED = (
    "state",
    "reason",
    "ended_at",
    "leased_until",
    "interrupted_at",
    "expires_at",
    "result_bytes",
    "result_sha256",
    "left_out",
)


def _until(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.LEASE_S)


def claim(worker: Worker, missing_layers: Sequence[str]) -> Task | None:
    """The next task for a worker: the person who has waited longest since the last one comes first.

    On SQLite the transaction holds the database from its begin. On PostgreSQL a row that another
    worker is taking is skipped. A power cut may undo a claim: then the task waits again, and
    nobody knows the worker's lease.
    """
    now = timezone.now()
    lacks = "\n".join(" ".join(each.split()) for each in missing_layers)
    if worker.missing_layers != lacks:
        worker.missing_layers = lacks
        worker.save(update_fields=["missing_layers"])
    if worker.draining or worker.revoked:
        return None
    waiting = Task.objects.filter(state=State.QUEUED, queue__in=_served(worker))
    if missing_layers:
        waiting = waiting.filter(brings_program=False)
    # Everybody else's write waits as long as this one does, and the disk takes most of that.
    with unsynced(), transaction.atomic():
        task = _interrupted_in_silence(worker, now)
        if task is None:
            task = _next(waiting)
            if task is None:
                return None
            task.state, task.worker = State.CLAIMED, worker
            Person.objects.filter(pk=task.owner_id).update(served_at=now)
        task.lease, task.leased_until = secrets.token_urlsafe(32), _until(now)
        task.attempts += 1
        task.save(update_fields=["state", "worker", "lease", "leased_until", "attempts"])
    return task


def _interrupted_in_silence(worker: Worker, now: datetime) -> Task | None:
    """An interrupted task of this worker whose finished points only its own journals have, locked.

    The first answer to its heartbeat is to stop, so that the worker packs and computes nothing.
    """
    own = Task.objects.filter(worker=worker, state=State.STOPPED, leased_until__lt=now)
    own = own.filter(attempts__lte=settings.RETRIES, expires_at__gt=now).order_by("pk")
    task: Task | None = own.select_for_update(skip_locked=True, of=("self",)).first()
    return task


def _served(worker: Worker) -> list[int]:
    """Queues whose tasks the worker may have: those chosen for it, or all."""
    queues = list(Queue.objects.values_list("pk", "draining", "worker"))
    chosen = {queue for queue, _, whose in queues if whose == worker.pk}
    given = {queue for queue, draining, _ in queues if not draining}
    return sorted(given & chosen if chosen else given)


def _next(waiting: QuerySet[Task]) -> Task | None:
    """The task that comes first, locked: tasks are many, and people who wait are few to sort."""
    turns = waiting.values_list("owner").annotate(since=Min("submitted_at"))
    served = F("owner__served_at").asc(nulls_first=True)
    for owner, _ in turns.order_by(served, "since", "owner"):
        own = waiting.filter(owner=owner).order_by("submitted_at", "pk")
        task: Task | None = own.select_for_update(skip_locked=True, of=("self",)).first()
        if task is not None:
            return task
    return None


def _of(worker: Worker, name: str, lease: str) -> QuerySet[Task]:
    """The task, if the worker's lease is the last one."""
    if not lease:
        raise LostError
    return Task.objects.filter(name=name, worker=worker, lease=lease)


def held(worker: Worker, name: str, lease: str) -> Task:
    """The task; raises LostError if the worker's lease is not the last one."""
    task: Task | None = _of(worker, name, lease).defer("experiment_yaml").first()
    if task is None:
        raise LostError
    return task


def expected(worker: Worker, name: str, lease: str) -> Task:
    """The same, if its worker may still report it; else raises LostError."""
    task = held(worker, name, lease)
    if not task.is_expected:
        raise LostError
    return task


def accept(worker: Worker, name: str, lease: str) -> None:
    """The worker has the files, and they are whole: the task runs from now on."""
    now = timezone.now()
    runs = {"state": State.RUNNING, "started_at": now, "leased_until": _until(now)}
    with unsynced():
        begun = _of(worker, name, lease).filter(state=State.CLAIMED).update(**runs)
    if not begun and expected(worker, name, lease).state not in (State.RUNNING, State.STOPPED):
        raise LostError


def heartbeat(worker: Worker, name: str, told: Progress) -> Order:
    """Renew the lease and note how far the task is; returns what to do."""
    task = expected(worker, name, told.lease)
    now = timezone.now()
    changed = _note(task, told)
    # Each write waits for all others, and workers call twice a second.
    if changed or task.leased_until is None or task.leased_until < _until(now) - _RENEWED:
        seen = {each: getattr(task, each) for each in _NOTED}
        with unsynced():
            still = _of(worker, name, told.lease).filter(EXPECTED)
            if not still.update(leased_until=_until(now), **seen):
                raise LostError
    if task.stop_requested or task.state == State.STOPPED:
        return Order(order="stop", reason=_interruption(task))
    return Order(order="go on")


def interrupted(worker: Worker, name: str, lease: str, reason: str) -> None:
    """Nothing of the task runs any more: its page says so while the worker packs what there is."""
    now = timezone.now()
    packs = {"state": State.PACKING, "interrupted_at": now, "leased_until": _until(now)}
    still = _of(worker, name, lease).filter(state=State.RUNNING)
    begun = still.update(**packs, reason=reason.replace("\0", ""))
    if not begun and expected(worker, name, lease).state not in (State.PACKING, State.STOPPED):
        raise LostError


def finish(
    worker: Worker, name: str, told: Outcome, before: Callable[[Task], None] = lambda _: None
) -> Task | None:
    """End the task; None if this holder has ended it before, so that a repeated call harms nothing.

    `before` gets the locked task and comes first: what it raises leaves the task as it is. Raises
    LostError for whoever does not hold it.
    """
    with transaction.atomic():
        locked = _of(worker, name, told.lease).select_for_update(of=("self",))
        task: Task | None = locked.defer("experiment_yaml").first()
        if task is None:
            raise LostError
        if not task.is_expected:
            return None
        before(task)
        now = timezone.now()
        _note(task, told)
        silent, task.reason = task.state == State.STOPPED, told.reason.replace("\0", "")
        # Somebody stopped it and has been informed: only a whole result is news.
        if not silent or told.outcome == "done":
            task.state = State(told.outcome)
        task.ended_at = task.ended_at if silent else now
        task.leased_until = None
        stopped = task.state == State.STOPPED
        task.interrupted_at = (task.interrupted_at or now) if stopped else None
        task.expires_at = now + timedelta(days=settings.KEEP_DAYS)
        task.result_bytes, task.result_sha256 = told.result_bytes, told.result_sha256
        task.left_out = told.left_out.replace("\0", "")
        task.save(update_fields=[*_NOTED, *_ENDED])
    return task


def _note(task: Task, told: Progress | Outcome) -> bool:
    """Take over what a worker says; returns whether it is anything new."""
    before = [getattr(task, each) for each in _NOTED]
    task.points, task.points_ended = told.points, told.ended
    task.points_shared = told.shared
    # A database that has no NUL in texts refuses the whole row.
    task.log_tail = told.log_tail.replace("\0", "")
    return before != [getattr(task, each) for each in _NOTED]


def return_overdue() -> list[Task]:
    """Queue tasks again whose worker fell silent; after the last retry they fail. Those that were
    interrupted before, by their owner or at their time-out, were stopped.

    Returns the tasks that have ended. Administrators get a mail for every worker that fell silent.
    """
    now = timezone.now()
    over = Q(state__in=HELD, leased_until__lt=now)
    # No lease ends later than one of this moment does, unless the clock has been set back.
    too_long = EXPECTED & Q(leased_until__gt=_until(now))
    if not Task.objects.filter(over | too_long).exists():
        return []
    Task.objects.filter(too_long).update(leased_until=_until(now))
    overdue = Task.objects.filter(over)
    ended, silent = [], set()
    with transaction.atomic():
        for task in overdue.select_for_update(skip_locked=True, of=("self",)):
            silent.add((str(task.worker), str(task)))
            _take_back(task, now)
            task.save()
            if not task.is_open:
                ended.append(task)
    for worker, title in sorted(silent):
        say_silent(worker, title)
    return ended


def _take_back(task: Task, now: datetime) -> None:
    if task.stop_requested or task.state == State.PACKING:
        # Its lease stays: what was finished may follow.
        task.reason = _interruption(task)
        task.state, task.interrupted_at = State.STOPPED, task.interrupted_at or now
    else:
        task.lease, task.leased_until = "", None
        if task.attempts <= settings.RETRIES:
            task.state = State.QUEUED
            return
        task.state = State.FAILED
        task.reason = f"its worker fell silent, {task.attempts} times"
    task.ended_at, task.expires_at = now, now + timedelta(days=settings.KEEP_DAYS)


def _interruption(task: Task) -> str:
    """Why a task was or shall be interrupted: its worker has reported the reason, or it has yet to
    stop for its owner."""
    return task.reason or "its owner stopped it"


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
