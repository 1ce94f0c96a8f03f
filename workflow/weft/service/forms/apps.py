"""The app as Django knows it."""

from django.apps import AppConfig


class FormsApp(AppConfig):
    """weft's forms."""

    name = "weft.service.forms"
    label = "forms"
