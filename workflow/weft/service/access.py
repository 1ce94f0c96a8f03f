"""Every address has a rule of who may see it; a test looks for one without."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Literal

from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from weft.service.accounts.unsent import FIELD, packed
from weft.service.tasks.models import Task

Rule = Literal["everybody", "signed in", "owner", "task", "worker"]
View = Callable[..., HttpResponse]


def rule(view: View, who: Rule) -> None:
    """Note who may see what a view shows."""
    view.access_rule = who  # type: ignore[attr-defined]


def everybody(view: View) -> View:
    """No account is needed."""
    rule(view, "everybody")
    return view


def signed_in(view: View) -> View:
    """Any account will do. Whoever sends a form after the end of the session loses nothing."""
    asking: View = login_required(view)

    @wraps(view)
    def guarded(request: HttpRequest, **parts: str) -> HttpResponse:
        if request.method == "POST" and not request.user.is_authenticated:
            return log_in_again(request)
        return asking(request, **parts)

    rule(guarded, "signed in")
    return guarded


def log_in_again(request: HttpRequest) -> HttpResponse:
    """The page to log in, which takes along what the request has typed."""
    shown = {"form": AuthenticationForm(request), "next": request.path, FIELD: packed(request)}
    return render(request, "pages/log_in.html", shown)


def owners_only(view: View) -> View:
    """The view gets the task; other people get the same answer as for a name without a task."""

    @wraps(view)
    def guarded(request: HttpRequest, name: str) -> HttpResponse:
        if not request.user.is_authenticated:
            raise Http404
        return view(request, get_object_or_404(Task, name=name, owner=request.user))

    rule(guarded, "owner")
    return guarded


def readers_of_task(view: View) -> View:
    """The view gets the task if it is the reader's own, or if the reader gave the page's password.

    A shared task, a foreign one and a name that is none all answer with the same question.
    """

    @wraps(view)
    def guarded(request: HttpRequest, name: str, **more: str) -> HttpResponse:
        task = Task.objects.filter(name=name).first()
        if task is not None and may_read(request, task):
            return view(request, task, **more)
        return locked(request, name)

    rule(guarded, "task")
    return guarded


def locked(request: HttpRequest, name: str, **more: object) -> HttpResponse:
    """The question for the password of a page, whether there is one or not."""
    pages = {"unlock": reverse("unlock", args=[name]), "own_page": reverse("task", args=[name])}
    return render(request, "pages/locked.html", {**pages, **more}, status=404)


def may_read(request: HttpRequest, task: Task) -> bool:
    """Whether the task is the reader's own or unlocked in this session."""
    if request.user.is_authenticated and task.owner_id == request.user.pk:
        return True
    unlocked = request.session.get("unlocked", {})
    return bool(task.page_password) and unlocked.get(task.name) == task.page_password[-16:]
