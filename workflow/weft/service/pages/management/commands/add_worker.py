"""`add_worker NAME`: prints the token of a worker, which it gets anew if it has one."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from weft.service.queue.models import Worker


class Command(BaseCommand):
    """The token is printed once; the database holds its digest alone."""

    help = "Make a worker, or a new token for one, and print the token"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Its name."""
        parser.add_argument("name")

    def handle(self, *args: object, **options: object) -> None:
        """Make it."""
        worker = Worker.objects.filter(name=options["name"]).first() or Worker(name=options["name"])
        token = worker.renew_token()
        worker.revoked = False
        worker.save()
        self.stdout.write(token)
