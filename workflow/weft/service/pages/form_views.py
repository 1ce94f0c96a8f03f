"""Pages of forms: choose a tool, fill its form, see what it stands for, submit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_urlsafe

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from weft.config import ConfigErrors
from weft.service.access import signed_in
from weft.service.accounts import unsent
from weft.service.estimates.learned import known_costs
from weft.service.forms.again import filled_again, remember
from weft.service.forms.chosen import Chosen, ChosenFile, Posted, chosen_files, kept_name
from weft.service.forms.fields import FILE, Form, FormField
from weft.service.forms.filled import OWN, READY, Filled, by_field, filled, mode_name
from weft.service.forms.offered import offered_form, offered_forms, offered_names
from weft.service.forms.packed import with_folders
from weft.service.pages.at_home import download
from weft.service.pages.stored import kept_for_back
from weft.service.project import NAME, PROGRAM
from weft.service.queue.confined import programs_refused
from weft.service.tasks.check import NAME_PROBLEM, Checked, Mistake, checked
from weft.service.tasks.models import Task
from weft.service.tasks.submit import ONCE, SubmissionError, limits, submit

#: What each group is about, for whoever sees a form for the first time.
_ABOUT = {
    "program": "Who sends what to whom.",
    "interconnect": "The network: how nodes are wired, and what links and switches can do.",
    "output": "What the report shows beside its numbers.",
    "limits": "How the simulator works, and how long it may take.",
}


@dataclass
class _Sent:
    """A form as it was sent, and what came of it."""

    posted: Posted = field(default_factory=dict)
    files: Chosen = field(default_factory=dict)
    found: Filled = field(default_factory=Filled)
    mistakes: Sequence[Mistake] = ()
    known: Checked | None = None


@signed_in
@require_safe
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
        begun = _begun(request, asked)
        page = _page(request, asked, begun)
        return page if begun.posted else kept_for_back(page)
    posted = {key: [str(text) for text in request.POST.getlist(key)] for key in request.POST}
    files, mistakes = chosen_files(asked, posted, request.FILES, request.user.pk)
    uploads, packed_wrong, left_out = with_folders(asked, files)
    for said in left_out:
        messages.info(request, said)
    found = filled(asked, posted, uploads)
    mistakes += packed_wrong
    unread = {each.key for each in packed_wrong}
    followed = [each for each in found.mistakes if each.key not in unread]
    for mistake in mistakes:
        found.places.setdefault(mistake.key, f"{mistake.key}{FILE}")
    name = _one(posted, "name")
    mistakes += limits(found.files, _timeout_s(posted))
    named = NAME.fullmatch(name) is not None
    if not named:
        mistakes.append(Mistake("name", NAME_PROBLEM))
    # Under any name, so that a wrong one hides no other mistake.
    known = checked(
        name if named else "experiment", found.experiment_yaml, found.files, known_costs()
    )
    sent = _Sent(posted, files, found, _all_mistakes([*mistakes, *followed], known))
    sent.known = None if sent.mistakes else known
    if sent.known and "download" in posted:
        return download(name, found.experiment_yaml, found.files)
    if sent.known and "submit" in posted:
        try:
            task = _submitted(request, template, name, sent)
            return redirect("task", name=task.name)
        except SubmissionError as error:
            sent.mistakes, sent.known = error.mistakes, None
    return _page(request, asked, sent)


def _all_mistakes(of_form: Sequence[Mistake], known: Checked) -> list[Mistake]:
    """All at once; where the form itself finds one, whatever follows from it is left out."""
    there = {each.key for each in of_form}
    return [*of_form, *(each for each in known.mistakes if each.key not in there)]


def _begun(request: HttpRequest, asked: Form) -> _Sent:
    """An empty form, that of an earlier task, or what was to be sent when the session had ended."""
    posted = unsent.taken(request)
    if posted is not None:
        messages.warning(request, unsent.NOT_SENT)
    elif again := request.GET.get("again"):
        task = get_object_or_404(Task, name=again, owner=request.user, template=asked.name)
        posted = filled_again(task)
    if posted is None:
        return _Sent()
    files, mistakes = chosen_files(asked, posted, request.FILES, request.user.pk)
    return _Sent(posted, files, mistakes=mistakes)


def _submitted(request: HttpRequest, template: str, name: str, sent: _Sent) -> Task:
    text, files = sent.found.experiment_yaml, sent.found.files
    with transaction.atomic():
        once = _one(sent.posted, ONCE)
        task = submit(request.user, text, files, template, _timeout_s(sent.posted), name, once)
        remember(task, sent.posted, sent.files)
    return task


def _timeout_s(posted: Posted) -> int:
    """The time-out in seconds; 0, which no task may have, for what is no number."""
    seconds = _one(posted, "timeout_s")
    return int(seconds) if re.fullmatch(r"[0-9]{1,9}", seconds) else 0


def _one(posted: Posted, key: str) -> str:
    return next(iter(posted.get(key, ())), "")


def _page(request: HttpRequest, asked: Form, sent: _Sent) -> HttpResponse:
    beside = by_field(asked, sent.mistakes, sent.found.places)
    for name, fields in asked.groups.items():
        if _mode(sent, name) == READY:
            _show_hidden(fields, beside)
    errors = _of_every_form(beside)
    groups = [_group(name, fields, sent, beside) for name, fields in asked.groups.items()]
    context = {
        "form": asked,
        "groups": groups,
        "errors": errors,
        "elsewhere": errors[""],
        "mistaken": bool(sent.mistakes),
        "known": sent.known,
        "seconds": _together(sent.known),
        "yaml": sent.found.experiment_yaml,
        "files": sorted(sent.found.files),
        "once": token_urlsafe(16),
        "name": _one(sent.posted, "name") or "experiment",
        "timeout_s": _one(sent.posted, "timeout_s") or settings.TIMEOUT_S,
        "most_s": settings.TIMEOUT_S,
        "keep_days": settings.KEEP_DAYS,
    }
    return render(request, "pages/form.html", context)


def _together(known: Checked | None) -> float | None:
    """Processor seconds of all engines; None where one of them is not known."""
    each = [share.whole_seconds for share in known.shares] if known else [None]
    return None if None in each else sum(filter(None, each))


def _mode(sent: _Sent, group: str) -> str:
    return OWN if _one(sent.posted, mode_name(group)) == OWN else READY


def _show_hidden(fields: Sequence[FormField], beside: dict[str, list[str]]) -> None:
    """Mistakes beside a file that the page does not ask for stand at the top."""
    for each in fields:
        hidden = beside.pop(each.file_name, [])
        beside.setdefault("", []).extend(f"{each.key}: {text}" for text in hidden)


def _of_every_form(beside: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Mistakes in fields that every form has and no template, and those of no field at all."""
    found: dict[str, list[str]] = {"name": [], "timeout_s": [], "": []}
    for text in beside.get("", []):
        key, _, said = text.partition(": ")
        if key in ("name", "timeout_s"):
            found[key].append(said)
        else:
            found[""].append(text)
    return found


@dataclass(frozen=True, slots=True)
class _Row:
    """A field as a page shows it."""

    field: FormField
    values: list[str]
    errors: list[str]
    files: Sequence[ChosenFile]
    file_errors: list[str]
    #: What its Makefile makes, of a file that is a project.
    makes: str = ""
    #: Why the server takes no such file now.
    refused: str = ""

    @property
    def value(self) -> str:
        """What stands in it."""
        return next(iter(self.values), "")

    @property
    def kept_name(self) -> str:
        """The name of the token of its file."""
        return kept_name(self.field.key)

    @property
    def changed(self) -> bool:
        """Whether it is not as the form has it at first."""
        return self.values != self.field.initial


def _group(
    name: str, fields: Sequence[FormField], sent: _Sent, beside: Mapping[str, list[str]]
) -> dict[str, object]:
    rows = [_row(each, sent, beside) for each in fields]
    shown = [row for row in rows if not row.field.only_file]
    more = [row for row in shown if row.field.more]
    return {
        "name": name,
        "about": _ABOUT[name],
        "mode": _mode(sent, name),
        "open": _mode(sent, name) == OWN
        or any(row.errors or row.file_errors or row.changed for row in rows),
        "mode_name": mode_name(name),
        "own": [row for row in rows if row.field.shown.own],
        "rows": [row for row in shown if not row.field.more],
        "more": more,
        "more_open": any(row.errors or row.changed for row in more),
    }


def _row(each: FormField, sent: _Sent, beside: Mapping[str, list[str]]) -> _Row:
    return _Row(
        field=each,
        values=[t for t in sent.posted.get(each.key, []) if t] if sent.posted else each.initial,
        errors=beside.get(each.key, []),
        files=[file for file in sent.files.get(each.key, ()) if file.digest],
        file_errors=beside.get(each.file_name, []),
        makes=_one(sent.posted, each.makes_name),
        refused=programs_refused() if set(PROGRAM).intersection(each.endings.split(",")) else "",
    )
