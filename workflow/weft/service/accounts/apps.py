"""The app as Django knows it."""

from django.apps import AppConfig
from django.db.models.signals import post_delete


class AccountsApp(AppConfig):
    """weft's accounts."""

    name = "weft.service.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Traces go with their account, whoever deletes that."""
        from weft.service.accounts.erased import erase_traces
        from weft.service.accounts.models import Person

        def erased(instance: Person, **_: object) -> None:
            erase_traces(instance)

        post_delete.connect(erased, sender=Person, weak=False)
