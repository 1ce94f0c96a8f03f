"""Pages of tasks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from secrets import token_urlsafe

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import check_password, make_password
from django.core.files.uploadedfile import UploadedFile
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from weft.service.access import everybody, locked, owners_only, readers_of_task, signed_in
from weft.service.accounts import unsent
from weft.service.accounts.rate import Limit, caller, wait
from weft.service.forms.models import Filling
from weft.service.forms.offered import offered_names
from weft.service.pages.at_home import download
from weft.service.pages.stored import kept_for_back
from weft.service.project import UPLOADS
from weft.service.queue.leases import cancel_or_stop
from weft.service.tasks.check import Mistake
from weft.service.tasks.folders import is_packed, unpacked
from weft.service.tasks.models import State, Task
from weft.service.tasks.parts import content, parts
from weft.service.tasks.submit import ONCE, SubmissionError, submit
from weft.service.tasks.waiting import place

_PER_PAGE = 50
#: A report has scripts and styles of its own. It runs apart from everything of this server.
_REPORT_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline';"
    " img-src data: blob:; sandbox allow-scripts allow-downloads; frame-ancestors 'none'"
)


#: Passwords that one caller tries, those for one page among them.
_FROM, _TO = Limit("unlock from", 50, longest_pause_s=15), Limit("unlock", 20, pause_s=30)
#: What the button says that ends a task; there is none where nothing is left to end.
_ENDS = {State.QUEUED: "Cancel", State.CLAIMED: "Stop", State.RUNNING: "Stop"}


@signed_in
@require_safe
def tasks(request: HttpRequest) -> HttpResponse:
    """The reader's own tasks, newest first."""
    mine = Task.objects.filter(owner=request.user).order_by("-submitted_at", "-id")
    shown = mine.defer("experiment_yaml", "log_tail", "reason", "left_out")
    page = Paginator(shown, _PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "pages/tasks.html", {"page": page})


@signed_in
def submit_yaml(request: HttpRequest) -> HttpResponse:
    """A whole experiment as YAML, with the files that it names."""
    shown = {"name": "experiment", "yaml": "", "timeout_s": str(settings.TIMEOUT_S)}
    if request.method != "POST":
        if again := request.GET.get("again"):
            task = get_object_or_404(Task, name=again, owner=request.user)
            shown = {
                "name": task.experiment,
                "yaml": task.experiment_yaml,
                "timeout_s": str(task.timeout_s),
            }
        elif (typed := unsent.taken(request)) is not None:
            messages.warning(request, unsent.NOT_SENT)
            shown = {key: "".join(typed.get(key, ())[:1]) for key in shown}
        else:
            return kept_for_back(_yaml_page(request, shown))
        return _yaml_page(request, shown)
    shown = {key: str(request.POST.get(key, ""))[:200_001] for key in shown}
    try:
        uploads: dict[str, bytes] = {}
        for file in request.FILES.getlist("files"):
            uploads |= _uploaded(request, file)
        text = shown["yaml"]
        if (file := request.FILES.get("experiment")) is not None:
            try:
                text = shown["yaml"] = _content(file).decode()
            except UnicodeDecodeError as error:
                raise SubmissionError([Mistake("experiment", "the file is not UTF-8")]) from error
        seconds = int(shown["timeout_s"]) if re.fullmatch(r"[0-9]{1,9}", shown["timeout_s"]) else 0
        once = str(request.POST.get(ONCE, ""))
        task = submit(request.user, text, uploads, None, seconds, shown["name"], once)
    except SubmissionError as error:
        return _yaml_page(request, shown, error.mistakes)
    return redirect("task", name=task.name)


def _yaml_page(
    request: HttpRequest, shown: Mapping[str, str], mistakes: Sequence[Mistake] = ()
) -> HttpResponse:
    context = {
        "shown": shown,
        "mistakes": mistakes,
        "once": token_urlsafe(16),
        "most_files": settings.UPLOAD_FILES,
        "most_bytes": f"{settings.UPLOAD_BYTES:,}",
    }
    return render(request, "pages/submit_yaml.html", context)


def _uploaded(request: HttpRequest, file: UploadedFile) -> dict[str, bytes]:
    """A file under its path from the project; of a packed project its files, with their folders."""
    content = _content(file)
    if not is_packed(str(file.name)):
        return {f"{UPLOADS}/{file.name}": content}
    try:
        found = unpacked(content, settings.UPLOAD_FILES, settings.UPLOAD_BYTES)
    except ValueError as error:
        raise SubmissionError([Mistake(str(file.name), str(error))]) from error
    if said := found.said(str(file.name)):
        messages.info(request, said)
    return found


def _content(file: UploadedFile) -> bytes:
    if (file.size or 0) > settings.UPLOAD_BYTES:
        most = f"at most {settings.UPLOAD_BYTES:,} bytes"
        raise SubmissionError([Mistake(str(file.name), f"{file.size:,} bytes; {most}")])
    content: bytes = file.read()
    return content


def _context(request: HttpRequest, task: Task) -> dict[str, object]:
    """What both the page and the part of it that changes show."""
    now = timezone.now()
    until = task.ended_at or now
    ran = (task.interrupted_at or until) - task.started_at if task.started_at else None
    return {
        "task": task,
        "mine": request.user.is_authenticated and task.owner_id == request.user.pk,
        "place": place(task) if task.state == State.QUEUED else None,
        "waited_s": (until - task.submitted_at).total_seconds(),
        # Planning before, and ending all processes after, are no part of a time-out.
        "ran_s": min(ran.total_seconds(), task.timeout_s) if ran else None,
        "expired": task.expires_at is not None and task.expires_at < now,
    }


def _again(task: Task) -> str:
    """The page that is filled with a task: its form, or that for whole experiments."""
    if task.template in offered_names() and Filling.objects.filter(task=task).exists():
        page = reverse("form", args=[task.template])
    else:
        page = reverse("submit-yaml")
    return f"{page}?again={task.name}"


@readers_of_task
@require_safe
def task(request: HttpRequest, task: Task) -> HttpResponse:
    """All of one task."""
    context = {
        **_context(request, task),
        "again": _again(task),
        "ends": "" if task.stop_requested else _ENDS.get(task.state, ""),
        "parts": parts(task) if task.result_bytes is not None else None,
        "brings_files": task.files.exists(),
        "keep_days": settings.KEEP_DAYS,
    }
    return render(request, "pages/task.html", context)


@readers_of_task
@require_safe
def progress(request: HttpRequest, task: Task) -> HttpResponse:
    """The part of the page that changes, which asks for itself again while the task is open."""
    answer = render(request, "pages/progress.html", _context(request, task))
    before = request.GET.get("state", task.state)
    if not task.is_open or _ENDS.get(before) != _ENDS.get(task.state):
        # Outside of this part stand links to the result, and the button that ends the task.
        answer["HX-Refresh"] = "true"
    return answer


@everybody
@require_POST
def unlock(request: HttpRequest, name: str) -> HttpResponse:
    """The password of a shared page; a wrong one and a wrong name give the same answer."""
    task = Task.objects.filter(name=name).exclude(page_password="").first()
    # A digest takes time also for names without a task.
    tried = caller(request), name
    wait_s = max(_FROM.wait_s(tried[0]), _TO.wait_s(*tried))
    if wait_s > 0:
        return wait(request, wait_s)
    # Without a task the same work is done, so that the time says nothing either.
    digest = task.page_password if task else make_password(None) + "x"
    if task is None:
        make_password(str(request.POST.get("password", "")))
    if task is not None and check_password(str(request.POST.get("password", "")), digest):
        _TO.forget(*tried)
        _FROM.forgive(tried[0])
        unlocked = request.session.get("unlocked", {})
        request.session["unlocked"] = {**unlocked, name: digest[-16:]}
        return redirect("task", name=name)
    return locked(request, name, wrong=True)


@readers_of_task
@require_safe
def report(request: HttpRequest, task: Task) -> HttpResponse:
    """The page that the pipeline made."""
    answer = FileResponse(_open(task, "report"), content_type="text/html; charset=utf-8")
    answer["Content-Security-Policy"] = _REPORT_POLICY
    return answer


@readers_of_task
@require_safe
def archive(request: HttpRequest, task: Task) -> HttpResponse:
    """The archive of the result."""
    name = f"{task.experiment}.zip"
    return FileResponse(_open(task, "archive"), as_attachment=True, filename=name)


@readers_of_task
@require_safe
def part(request: HttpRequest, task: Task, path: str) -> HttpResponse:
    """A figure's data or a table alone."""
    found = content(task, path)
    if found is None:
        raise Http404
    # An archive has the names that a run gave: none of them writes headers.
    name = re.sub(r"[^\w.-]", "_", path.removeprefix("results/"), flags=re.ASCII)
    answer = HttpResponse(found, content_type="application/octet-stream")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _open(task: Task, what: str) -> object:
    try:
        return (task.report if what == "report" else task.archive).open("rb")
    except FileNotFoundError as error:
        raise Http404 from error


@readers_of_task
@require_safe
def experiment(request: HttpRequest, task: Task) -> HttpResponse:
    """The experiment as a file, to run at home, with the files that it names."""
    files = {str(each.path): bytes(each.content) for each in task.files.all()}
    return download(task.experiment, task.experiment_yaml, files)


@owners_only
@require_POST
def stop(request: HttpRequest, task: Task) -> HttpResponse:
    """Cancel a task that waits, or stop one that runs."""
    cancel_or_stop(task)
    return redirect("task", name=task.name)


@owners_only
@require_POST
def share(request: HttpRequest, task: Task) -> HttpResponse:
    """Give the page a password for others, or take it away."""
    password = str(request.POST.get("password", ""))
    if password and len(password) < 8:
        messages.error(request, "The page's password needs at least 8 characters.")
        return redirect("task", name=task.name)
    task.page_password = make_password(password) if password else ""
    task.save(update_fields=["page_password"])
    messages.success(request, "The page is shared." if password else "The page is yours alone.")
    return redirect("task", name=task.name)
