"""The app as Django knows it."""

from django.apps import AppConfig
from django.db import transaction
from django.db.models.signals import post_delete


class TasksApp(AppConfig):
    """weft's tasks."""

    name = "weft.service.tasks"
    label = "tasks"

    def ready(self) -> None:
        """A result goes with its task, whoever deletes that: also with the account of its owner.
        Files that were chosen and not submitted go with the account."""
        from weft.service.accounts.models import Person
        from weft.service.tasks import drafts
        from weft.service.tasks.models import Task
        from weft.service.tasks.results import remove

        def removed(instance: Task, **_: object) -> None:
            transaction.on_commit(lambda: remove(instance))

        def erased(instance: Person, **_: object) -> None:
            number = instance.pk
            transaction.on_commit(lambda: drafts.erase(number))

        post_delete.connect(removed, sender=Task, weak=False)
        post_delete.connect(erased, sender=Person, weak=False)
