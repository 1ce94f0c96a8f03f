"""Pages of forms: choose a tool, fill its form, see what it stands for, submit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from weft.config import ConfigErrors
from weft.service.access import signed_in
from weft.service.forms.fields import Form, FormField
from weft.service.forms.filled import by_field, filled
from weft.service.forms.offered import offered_form, offered_forms, offered_names
from weft.service.tasks.check import Checked, Mistake, checked
from weft.service.tasks.submit import SubmissionError, submit


@signed_in
@require_GET
def templates(request: HttpRequest) -> HttpResponse:
    """The tools that there are."""
    found, wrong = offered_forms()
    return render(request, "pages/templates.html", {"forms": found, "wrong": wrong})


@signed_in
def form(request: HttpRequest, template: str) -> HttpResponse:
    """A form; sent once, it shows the plan and the file that it stands for."""
    if template not in offered_names():
        raise Http404
    try:
        asked = offered_form(template)
    except ConfigErrors as errors:
        context = {"wrong": errors.errors}
        return render(request, "pages/broken_form.html", context, status=503)
    if request.method != "POST":
        return _page(request, asked, None, {}, [])
    posted = {key: [str(text) for text in request.POST.getlist(key)] for key in request.POST}
    uploads, mistakes = _uploads(request, asked)
    found = filled(asked, posted, uploads)
    mistakes = [*mistakes, *found.mistakes]
    name = _one(posted, "name")
    seconds = _one(posted, "timeout_s")
    timeout_s = int(seconds) if re.fullmatch(r"[0-9]{1,9}", seconds) else 0
    known = (
        Checked(tuple(mistakes)) if mistakes else checked(name, found.experiment_yaml, found.files)
    )
    mistakes = list(known.mistakes)
    if "submit" in posted and not mistakes:
        try:
            task = submit(
                request.user, found.experiment_yaml, found.files, template, timeout_s, name
            )
            return redirect("task", name=task.name)
        except SubmissionError as error:
            mistakes = list(error.mistakes)
    plan = None if mistakes else {"points": known.points, "yaml": found.experiment_yaml}
    return _page(request, asked, plan, posted, mistakes)


def _one(posted: Mapping[str, Sequence[str]], key: str) -> str:
    return next(iter(posted.get(key, ())), "")


def _uploads(
    request: HttpRequest, asked: Form
) -> tuple[dict[str, tuple[str, bytes]], list[Mistake]]:
    """Files by key; the size is known before a file is read."""
    found: dict[str, tuple[str, bytes]] = {}
    mistakes = []
    for each in asked.fields():
        file = request.FILES.get(each.file_name)
        if not isinstance(file, UploadedFile):
            continue
        if (file.size or 0) > settings.UPLOAD_BYTES:
            most = f"at most {settings.UPLOAD_BYTES:,} bytes"
            mistakes.append(Mistake(each.key, f"{file.size:,} bytes; {most}"))
        else:
            found[each.key] = (str(file.name), file.read())
    return found, mistakes


def _page(
    request: HttpRequest,
    asked: Form,
    plan: Mapping[str, object] | None,
    posted: Mapping[str, Sequence[str]],
    mistakes: Sequence[Mistake],
) -> HttpResponse:
    beside = by_field(asked, mistakes)
    groups = {
        name: [_row(each, posted, beside) for each in fields]
        for name, fields in asked.groups.items()
    }
    context = {
        "form": asked,
        "groups": groups,
        "elsewhere": beside.get("", []),
        "plan": plan,
        "name": _one(posted, "name") or "experiment",
        "timeout_s": _one(posted, "timeout_s") or settings.TIMEOUT_S,
        "most_s": settings.TIMEOUT_S,
    }
    return render(request, "pages/form.html", context)


def _row(
    each: FormField, posted: Mapping[str, Sequence[str]], beside: Mapping[str, list[str]]
) -> dict[str, object]:
    given = posted.get(each.key, []) if posted else each.initial
    return {
        "field": each,
        "value": next(iter(given), ""),
        "values": list(given),
        "errors": beside.get(each.key, []),
    }
