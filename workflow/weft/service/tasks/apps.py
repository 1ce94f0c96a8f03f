"""The app as Django knows it."""

from django.apps import AppConfig


class TasksApp(AppConfig):
    """weft's tasks."""

    name = "weft.service.tasks"
    label = "tasks"
