"""A form as it was when it made a task."""

from __future__ import annotations

from hashlib import sha256

from weft.service.forms.chosen import Chosen, Posted, kept_name
from weft.service.forms.models import FilledFile, Filling
from weft.service.tasks import drafts
from weft.service.tasks.models import Task


def remember(task: Task, posted: Posted, files: Chosen) -> None:
    """Store what the form was filled with; a form that was sent twice made one task."""
    if Filling.objects.filter(task=task).exists():
        return
    kept = {key: list(texts) for key, texts in posted.items() if key not in _OF_THE_REQUEST}
    names = {
        key: [[each.name, sha256(each.content).hexdigest()] for each in several]
        for key, several in files.items()
    }
    filling = Filling.objects.create(task=task, posted=kept, files=names)
    every = [each for several in files.values() for each in several]
    contents = {sha256(each.content).hexdigest(): each.content for each in every}
    FilledFile.objects.bulk_create(
        FilledFile(filling=filling, sha256=digest, content=content)
        for digest, content in contents.items()
    )


_OF_THE_REQUEST = ("csrfmiddlewaretoken", "check", "submit", "download")


def filled_again(task: Task) -> Posted | None:
    """What the form of a task was filled with, its files ready to be sent; None without one."""
    filling = Filling.objects.filter(task=task).first()
    if filling is None:
        return None
    posted = {str(key): list(texts) for key, texts in filling.posted.items()}
    contents = {each.sha256: bytes(each.content) for each in filling.contents.all()}
    for key, several in filling.files.items():
        there = [(name, digest) for name, digest in several if digest in contents]
        for _, digest in there:
            drafts.keep(task.owner_id, contents[digest])
        posted[kept_name(key)] = [f"{digest} {name}" for name, digest in there]
    return posted
