"""Tasks in the admin pages."""

from django.contrib import admin
from django.http import HttpRequest

from weft.service.tasks.models import Task


@admin.register(Task)
class TaskAdmin(admin.ModelAdmin):
    """Tasks, to look at."""

    list_display = ("title", "owner", "queue", "state", "worker", "attempts", "submitted_at")
    list_filter = ("state", "queue")
    list_select_related = ("owner", "queue", "worker")
    fields = ("title", "owner", "queue", "state", "worker", "attempts", "timeout_s", "reason")

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody changes a task here."""
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Tasks come from people who submit them."""
        return False
