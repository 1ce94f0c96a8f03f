"""What a form was filled with, so that it can be filled so again."""

from __future__ import annotations

from django.db import models

from weft.service.tasks.models import Task


class Filling(models.Model):
    """The values of the form that made a task."""

    task = models.OneToOneField(Task, on_delete=models.CASCADE, related_name="filling")
    #: Texts by the name of the field.
    posted = models.JSONField(default=dict)
    #: Of files: names and digests, by the key of the field.
    files = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"form of {self.task}"


class FilledFile(models.Model):
    """A file that was chosen in a form, as it came."""

    filling = models.ForeignKey(Filling, on_delete=models.CASCADE, related_name="contents")
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()

    def __str__(self) -> str:
        return str(self.sha256)
