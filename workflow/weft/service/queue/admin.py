"""Queues and workers in the admin pages."""

from django.contrib import admin, messages
from django.http import HttpRequest

from weft.service.queue.models import Queue, Worker


@admin.register(Queue)
class QueueAdmin(admin.ModelAdmin):
    """Queues."""

    list_display = ("name", "template", "longest_s", "draining")


@admin.register(Worker)
class WorkerAdmin(admin.ModelAdmin):
    """Workers: when they were last seen and what they run. A new one shows its token once."""

    list_display = (
        "name",
        "last_seen_at",
        "weft_version",
        "runs",
        "programs",
        "draining",
        "revoked",
    )
    readonly_fields = ("last_seen_at", "weft_version", "runs", "programs")

    @admin.display(description="runs")
    def runs(self, worker: Worker) -> str:
        """The tasks that it has."""
        return ", ".join(map(str, worker.tasks.exclude(leased_until=None))) if worker.pk else ""

    @admin.display(description="programs of strangers")
    def programs(self, worker: Worker) -> str:
        """Whether it runs them, or what it lacks."""
        if worker.missing_layers is None:
            return "not known yet"
        return str(worker.missing_layers) or "confined by all layers"

    def save_model(self, request: HttpRequest, obj: Worker, form: object, change: bool) -> None:
        """Give a new worker a token."""
        if not change:
            token = obj.renew_token()
            messages.warning(request, f"Its token, shown this once: {token}")
        super().save_model(request, obj, form, change)
