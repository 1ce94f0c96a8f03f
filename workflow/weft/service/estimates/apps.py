"""The app as Django knows it."""

from django.apps import AppConfig


class EstimatesApp(AppConfig):
    """weft's estimates."""

    name = "weft.service.estimates"
    label = "estimates"
