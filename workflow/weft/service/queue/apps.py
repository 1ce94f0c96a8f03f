"""The app as Django knows it."""

from django.apps import AppConfig


class QueueApp(AppConfig):
    """weft's queue."""

    name = "weft.service.queue"
    label = "queue"
