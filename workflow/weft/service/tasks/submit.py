"""An experiment becomes a task: checked as on the command line, then put into a queue."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from weft.service.accounts.models import Person
from weft.service.queue.models import Queue
from weft.service.tasks.check import Mistake, checked
from weft.service.tasks.models import OPEN, Task, TaskFile

#: The field in which a page that submits says which page it is.
ONCE = "once"
#: Submissions of one person within this time are counted.
_WINDOW = timedelta(minutes=10)
_MOST_IN_WINDOW = 60


@dataclass
class SubmissionError(ValueError):
    """What was submitted cannot run; `mistakes` say where and why."""

    mistakes: Sequence[Mistake]

    def __str__(self) -> str:
        return "\n".join(map(str, self.mistakes))


def submit(
    user: Person,
    experiment_yaml: str,
    files: Mapping[str, bytes],
    template: str | None,
    timeout_s: int,
    name: str = "experiment",
    once: str = "",
) -> Task:
    """Queue an experiment with its uploads, whose paths begin with `uploads/`.

    `once` names the page that was sent: the same from the same page is the task that it made.

    Raises SubmissionError, with the words of the command line, where something is wrong. Nothing is
    queued then.
    """
    checked_ = checked(name, experiment_yaml, files)
    mistakes = [*checked_.mistakes, *limits(files, timeout_s)]
    if mistakes:
        raise SubmissionError(mistakes)
    with transaction.atomic():
        # A second submission of the same person waits here, so that it cannot exceed a limit.
        person = Person.objects.select_for_update().get(pk=user.pk)
        sent = _digest(once, name, experiment_yaml, template or "", str(timeout_s), files)
        if once and (made := Task.objects.filter(owner=person, submission=sent).first()):
            return made
        if refused := _quota(person, timeout_s):
            raise SubmissionError([Mistake("", refused)])
        task = Task.objects.create(
            owner=person,
            experiment=name,
            experiment_yaml=experiment_yaml,
            title=checked_.title[:300],
            brings_program=checked_.brings_program,
            planned_points=checked_.points,
            template=template or "",
            queue=_queue(template or "", timeout_s),
            timeout_s=timeout_s,
            submission=sent if once else "",
        )
        TaskFile.objects.bulk_create(
            TaskFile(task=task, path=path, content=content, sha256=sha256(content).hexdigest())
            for path, content in files.items()
        )
    return task


def _digest(*texts: str | Mapping[str, bytes]) -> str:
    """Of what was submitted, and from which page."""
    plain = [
        sorted((path, sha256(content).hexdigest()) for path, content in each.items())
        if isinstance(each, Mapping)
        else each
        for each in texts
    ]
    return sha256(json.dumps(plain).encode()).hexdigest()


def limits(files: Mapping[str, bytes], timeout_s: int) -> list[Mistake]:
    """What is beyond the limits of this server."""
    found = []
    if not 1 <= timeout_s <= settings.TIMEOUT_S:
        found.append(Mistake("timeout_s", f"must be 1 s to {settings.TIMEOUT_S} s"))
    if len(files) > settings.UPLOAD_FILES:
        found.append(Mistake("files", f"at most {settings.UPLOAD_FILES} files"))
    if sum(map(len, files.values())) > settings.UPLOAD_BYTES:
        found.append(Mistake("files", f"at most {settings.UPLOAD_BYTES:,} bytes together"))
    return found


def _quota(person: Person, timeout_s: int) -> str:
    mine = Task.objects.filter(owner=person)
    waiting = mine.filter(state__in=OPEN)
    if waiting.count() >= person.most_open_tasks:
        return f"you have {person.most_open_tasks} open tasks; wait for one, or cancel it"
    held_s = waiting.aggregate(total=Sum("timeout_s"))["total"] or 0
    if held_s + timeout_s > person.most_open_s:
        return f"the time-outs of your open tasks may be {person.most_open_s} s together"
    if mine.filter(submitted_at__gt=timezone.now() - _WINDOW).count() >= _MOST_IN_WINDOW:
        return f"you have submitted {_MOST_IN_WINDOW} tasks within 10 minutes; wait a moment"
    return ""


def _queue(template: str, timeout_s: int) -> Queue:
    """The queue of the template, else the one for the smallest sizes that fit, else the default."""
    for queue in Queue.objects.exclude(name="default").order_by("longest_s", "name"):
        of_template = not queue.template or queue.template == template
        of_size = queue.longest_s is None or timeout_s <= queue.longest_s
        if of_template and of_size:
            return queue
    found, _ = Queue.objects.get_or_create(name="default")
    return found
