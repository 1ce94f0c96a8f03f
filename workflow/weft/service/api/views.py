"""The addresses that workers call."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps

from django.conf import settings
from django.db.models.functions import Length
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods
from pydantic import BaseModel, ValidationError

from weft import __version__
from weft.service.access import rule
from weft.service.estimates.learned import learn
from weft.service.protocol import (
    FOLDER_HEADER,
    PIECE_BYTES,
    VERSION_HEADER,
    ClaimRequest,
    Interruption,
    Lease,
    Offer,
    Outcome,
    Progress,
    Received,
    SentFile,
)  # fmt: skip
from weft.service.queue import leases
from weft.service.queue.models import Worker, token_digest
from weft.service.tasks.mails import say_ended
from weft.service.tasks.models import EXPECTED, Task
from weft.service.tasks.results import ResultError, check, keep, receive, received_bytes

_SEEN_AGAIN = timedelta(seconds=5)
#: A worker that was not seen for so long has left its token to whoever comes.
_SILENT = max(timedelta(seconds=settings.LEASE_S), 2 * _SEEN_AGAIN)
_IN_USE = (
    "another worker works with this token: give each its own (add_worker), or end the other one "
    f"and wait {_SILENT.total_seconds():g} s"
)
View = Callable[..., HttpResponse]


def _said(status: int, text: str) -> HttpResponse:
    return HttpResponse(text + "\n", status=status, content_type="text/plain; charset=utf-8")


def _message(message: BaseModel) -> HttpResponse:
    text = message.model_dump_json(exclude_defaults=True)
    return HttpResponse(text, content_type="application/json")


def _see(worker: Worker, version: str, folder: str) -> None:
    """Note that a worker is there: not at each call, because each write waits for the disk."""
    now, before = timezone.now(), worker.last_seen_at
    changed = (worker.weft_version, worker.folder) != (version, folder)
    # The clock may have been set back.
    if before is None or abs(now - before) > _SEEN_AGAIN or changed:
        seen = {"last_seen_at": now, "weft_version": version, "folder": folder}
        Worker.objects.filter(pk=worker.pk).update(**seen)


def _works_elsewhere(worker: Worker, folder: str) -> bool:
    """Whether another process with this token is at work: what it has finished lies there."""
    if worker.folder in ("", folder) or worker.last_seen_at is None:
        return False
    return abs(timezone.now() - worker.last_seen_at) < _SILENT


def for_workers(method: str) -> Callable[[View], View]:
    """Accept requests with a worker's token and the server's version of weft."""

    def decorate(view: View) -> View:
        @csrf_exempt
        @require_http_methods([method, "HEAD"] if method == "GET" else [method])
        @wraps(view)
        def guarded(request: HttpRequest, **parts: str | int) -> HttpResponse:
            scheme, _, token = request.headers.get("Authorization", "").partition(" ")
            worker = Worker.objects.filter(token_sha256=token_digest(token), revoked=False).first()
            if scheme != "Bearer" or worker is None:
                return _said(401, "no worker has this token")
            version = request.headers.get(VERSION_HEADER, "")[:100]
            folder = request.headers.get(FOLDER_HEADER, "")[:100]
            if _works_elsewhere(worker, folder):
                return _said(409, _IN_USE)
            _see(worker, version, folder)
            if version != __version__:
                return _said(
                    426, f"this server has weft {__version__}, you have {version}: upgrade"
                )
            try:
                return view(request, worker, **parts)
            except ValidationError as error:
                return _said(400, str(error))
            except leases.LostError:
                return _said(410, "the task is not yours, or no longer")

        rule(guarded, "worker")
        return guarded

    return decorate


@for_workers("POST")
def claim(request: HttpRequest, worker: Worker) -> HttpResponse:
    """A task, or nothing (204)."""
    for ended in leases.return_overdue():
        say_ended(ended)
    asked = ClaimRequest.model_validate_json(request.body)
    task = leases.claim(worker, asked.missing_layers)
    if task is None:
        return HttpResponse(status=204)
    # The contents, megabytes maybe, stay where they are.
    sent = task.files.values("path", "sha256", size=Length("content"))
    files = [SentFile(**each) for each in sent]
    offer = Offer(
        task=task.name,
        lease=task.lease,
        lease_s=settings.LEASE_S,
        experiment=task.experiment,
        experiment_yaml=task.experiment_yaml,
        timeout_s=task.timeout_s,
        files=files,
        result_bytes=settings.RESULT_BYTES,
    )
    return _message(offer)


@for_workers("GET")
def file(request: HttpRequest, worker: Worker, name: str, digest: str) -> HttpResponse:
    """The content of a file of a task that the worker has."""
    held = Task.objects.filter(EXPECTED, name=name, worker=worker).first()
    found = held.files.filter(sha256=digest).first() if held else None
    if found is None:
        raise leases.LostError
    return HttpResponse(bytes(found.content), content_type="application/octet-stream")


@for_workers("POST")
def accept(request: HttpRequest, worker: Worker, name: str) -> HttpResponse:
    """All files have arrived as they were sent."""
    leases.accept(worker, name, Lease.model_validate_json(request.body).lease)
    return HttpResponse(status=204)


@for_workers("POST")
def heartbeat(request: HttpRequest, worker: Worker, name: str) -> HttpResponse:
    """Progress; answers what to do."""
    return _message(leases.heartbeat(worker, name, Progress.model_validate_json(request.body)))


@for_workers("POST")
def interrupted(request: HttpRequest, worker: Worker, name: str) -> HttpResponse:
    """The task has been stopped; its result follows."""
    told = Interruption.model_validate_json(request.body)
    leases.interrupted(worker, name, told.lease, told.reason)
    return HttpResponse(status=204)


@for_workers("PUT")
def piece(request: HttpRequest, worker: Worker, name: str, offset: int) -> HttpResponse:
    """A piece of the result; an empty one asks how much is there."""
    if int(request.headers.get("Content-Length") or 0) > PIECE_BYTES:
        return _said(413, f"a piece has at most {PIECE_BYTES} bytes")
    task = leases.expected(worker, name, request.headers.get("X-Weft-Lease", ""))
    try:
        there = (
            receive(task, offset, request.body, settings.RESULT_BYTES)
            if request.body
            else received_bytes(task)
        )
    except ResultError as error:
        return _said(413, str(error))
    except OSError as error:
        return _said(507, f"the server cannot write to its disk: {error.strerror}")
    return _message(Received(received=there))


@for_workers("POST")
def finish(request: HttpRequest, worker: Worker, name: str) -> HttpResponse:
    """The task has ended."""
    told = Outcome.model_validate_json(request.body)
    try:
        if told.result_bytes is None:
            ended = leases.finish(worker, name, told)
        else:
            task = leases.held(worker, name, told.lease)
            # Reading a large result takes seconds, in which the queue goes on.
            if task.is_expected:
                check(task, told.result_bytes, told.result_sha256)
            ended = leases.finish(worker, name, told, keep)
    except ResultError as error:
        return _said(409, str(error))
    except OSError as error:
        return _said(507, f"the server cannot write to its disk: {error.strerror}")
    if ended is not None:
        say_ended(ended)
        if ended.result_bytes is not None:
            learn(ended.archive, ended.experiment)
    return JsonResponse({"ended": ended is not None})
