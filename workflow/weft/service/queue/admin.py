"""Queues and workers in the admin pages."""

from django.conf import settings
from django.contrib import admin, messages
from django.db.models import Count, Prefetch, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.timesince import timesince

from weft.service.queue.models import Queue, Worker
from weft.service.tasks.models import HELD, Task


@admin.register(Queue)
class QueueAdmin(admin.ModelAdmin):
    """Queues, and how much waits in them."""

    list_display = ("name", "waiting", "template", "longest_s", "gives_out")
    actions = ("drain", "resume")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Queue]:
        """Queues with the number of tasks that wait."""
        waiting = Count("tasks", filter=Q(tasks__state="queued"))
        found: QuerySet[Queue] = super().get_queryset(request).annotate(waiting=waiting)
        return found

    @admin.display(description="tasks that wait")
    def waiting(self, queue: Queue) -> int:
        """How many tasks wait."""
        return int(queue.waiting)

    @admin.display(description="gives out tasks")
    def gives_out(self, queue: Queue) -> str:
        """In words: a cross beside a double negative says nothing."""
        return "no" if queue.draining else "yes"

    @admin.action(description="Give out no more tasks of these queues")
    def drain(self, request: HttpRequest, queues: QuerySet[Queue]) -> None:
        """Tasks that run go on."""
        queues.update(draining=True)

    @admin.action(description="Give out tasks of these queues again")
    def resume(self, request: HttpRequest, queues: QuerySet[Queue]) -> None:
        """What waits goes on."""
        queues.update(draining=False)


@admin.register(Worker)
class WorkerAdmin(admin.ModelAdmin):
    """Workers: when they were last seen and what they run. A new one shows its token once."""

    list_display = ("name", "does", "runs", "seen", "programs", "weft_version")
    readonly_fields = ("seen", "weft_version", "runs", "programs")
    actions = ("drain", "resume", "revoke")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Worker]:
        """Workers with what they run, in one statement for all of them."""
        held = Task.objects.filter(state__in=HELD).only("title", "experiment", "worker")
        with_tasks = Prefetch("tasks", held, to_attr="held")
        found: QuerySet[Worker] = super().get_queryset(request).prefetch_related(with_tasks)
        return found

    @admin.display(description="does")
    def does(self, worker: Worker) -> str:
        """What to expect of it, in words."""
        if worker.revoked:
            return "is refused: its token is revoked"
        if worker.last_seen_at is None:
            return "has never asked"
        silent = (timezone.now() - worker.last_seen_at).total_seconds() > settings.LEASE_S
        if silent:
            return "is silent"
        return "gets no more tasks" if worker.draining else "works"

    @admin.display(description="last seen")
    def seen(self, worker: Worker) -> str:
        """How long ago it has asked for something."""
        return f"{timesince(worker.last_seen_at)} ago" if worker.last_seen_at else "never"

    @admin.display(description="runs")
    def runs(self, worker: Worker) -> str:
        """The tasks that it has."""
        return ", ".join(map(str, worker.held)) if worker.pk else ""

    @admin.display(description="programs of strangers")
    def programs(self, worker: Worker) -> str:
        """Whether it runs them, or what it lacks."""
        if worker.missing_layers is None:
            return "not known yet"
        return str(worker.missing_layers) or "confined by all layers"

    @admin.action(description="Give these workers no more tasks (drain)")
    def drain(self, request: HttpRequest, workers: QuerySet[Worker]) -> None:
        """What they run goes on."""
        workers.update(draining=True)

    @admin.action(description="Give these workers tasks again")
    def resume(self, request: HttpRequest, workers: QuerySet[Worker]) -> None:
        """They get the next task that waits."""
        workers.update(draining=False)

    @admin.action(description="Revoke the tokens of these workers")
    def revoke(self, request: HttpRequest, workers: QuerySet[Worker]) -> None:
        """They are refused from now on."""
        workers.update(revoked=True)

    def save_model(self, request: HttpRequest, obj: Worker, form: object, change: bool) -> None:
        """Give a new worker a token."""
        if not change:
            token = obj.renew_token()
            line = f"WEFT_WORKER_TOKEN={token} weft-worker --server {settings.ADDRESS}"
            messages.warning(request, f"Start it with this line, shown this once: {line}")
        super().save_model(request, obj, form, change)
