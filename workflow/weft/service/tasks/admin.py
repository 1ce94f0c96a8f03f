"""Tasks in the admin pages."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from weft.service.tasks.models import Task


@admin.register(Task)
class TaskAdmin(admin.ModelAdmin):
    """Tasks, to look at."""

    list_display = ("title", "owner", "queue", "state", "worker", "attempts", "submitted_at")
    list_filter = ("state", "queue")
    list_select_related = ("owner", "queue", "worker")
    #: Counting all tasks beside those of a filter takes as long as the rest of the page.
    show_full_result_count = False
    fields = ("title", "owner", "queue", "state", "worker", "attempts", "timeout_s", "reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Task]:
        """Tasks without their long texts, which a sort of thousands would carry along."""
        found: QuerySet[Task] = super().get_queryset(request)
        return found.defer("experiment_yaml", "log_tail", "left_out")

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody changes a task here."""
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Tasks come from people who submit them."""
        return False
