"""The app as Django knows it."""

from django.apps import AppConfig


class PagesApp(AppConfig):
    """weft's pages."""

    name = "weft.service.pages"
    label = "pages"
