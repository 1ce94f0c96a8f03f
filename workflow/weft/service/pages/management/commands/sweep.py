"""`sweep`: removes what has expired, and returns tasks of silent workers to their queue."""

from __future__ import annotations

from django.core.management.base import BaseCommand
from django.utils import timezone

from weft.service.accounts.models import Person
from weft.service.queue.leases import return_overdue
from weft.service.tasks import drafts
from weft.service.tasks.mails import say_ended
from weft.service.tasks.models import Task
from weft.service.tasks.results import remove


class Command(BaseCommand):
    """Run it every few minutes."""

    help = "Remove expired results, erase guests without tasks, and return tasks of silent workers"

    def handle(self, *args: object, **options: object) -> None:
        """Do all of it."""
        for ended in return_overdue():
            say_ended(ended)
        guests = set()
        for task in Task.objects.filter(expires_at__lt=timezone.now()).select_related("owner"):
            remove(task)
            if task.owner.guest:
                guests.add(task.owner.pk)
            task.delete()
        # Address and password of a guest go with the last task.
        for person in Person.objects.filter(pk__in=guests, tasks=None):
            person.delete()
        drafts.sweep()
