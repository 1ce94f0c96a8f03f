"""The app as Django knows it."""

from django.apps import AppConfig


class AccountsApp(AppConfig):
    """weft's accounts."""

    name = "weft.service.accounts"
    label = "accounts"
