"""Where a task stands in its queue."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from weft.service.tasks.models import State, Task


@dataclass(frozen=True, slots=True)
class Place:
    """Tasks that came before, and the longest that they may take on one worker."""

    before: int
    longest_s: int


def place(task: Task) -> Place:
    """The place of a task that waits, by the time of submission."""
    earlier = Q(submitted_at__lt=task.submitted_at) | Q(
        submitted_at=task.submitted_at, pk__lt=task.pk
    )
    queued = Task.objects.filter(state=State.QUEUED, queue_id=task.queue_id)
    found = queued.filter(earlier).aggregate(before=Count("pk"), longest=Sum("timeout_s"))
    return Place(found["before"], found["longest"] or 0)
