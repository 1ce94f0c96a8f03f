"""The app as Django knows it."""

from django.apps import AppConfig
from django.db import transaction
from django.db.models.signals import post_delete


class TasksApp(AppConfig):
    """weft's tasks."""

    name = "weft.service.tasks"
    label = "tasks"

    def ready(self) -> None:
        """A result goes with its task, whoever deletes that: also with the account of its owner."""
        from weft.service.tasks.models import Task
        from weft.service.tasks.results import remove

        def removed(instance: Task, **_: object) -> None:
            transaction.on_commit(lambda: remove(instance))

        post_delete.connect(removed, sender=Task, weak=False)
