"""People: known by their address, with what they may ask for."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models

from weft.service.accounts.addresses import plain_address


class People(BaseUserManager):
    """Makes accounts."""

    def create_user(self, email: str, password: str | None = None, **more: object) -> Person:
        """An account; without a password nobody can log in to it."""
        person: Person = self.model(email=plain_address(email), **more)
        person.set_password(password)
        person.save(using=self._db)
        return person

    def create_superuser(self, email: str, password: str | None = None, **more: object) -> Person:
        """An account of an administrator."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **more)

    def get_by_natural_key(self, username: str) -> Person:
        """The account of an address, however it is written."""
        found: Person = self.get(email=plain_address(username))
        return found


class Person(AbstractUser):
    """Somebody who submits tasks. `guest` accounts are erased with their last task."""

    username = None
    email = models.EmailField("address", unique=True)
    guest = models.BooleanField(default=False)
    #: When a worker last took a task of this person; the one who has waited longest comes first.
    served_at = models.DateTimeField(null=True, editable=False)
    most_open_tasks = models.PositiveIntegerField("open tasks at most", default=20)
    most_open_s = models.PositiveIntegerField("their time-outs together, s", default=86_400)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ()
    objects = People()

    class Meta:
        """Words of the admin pages."""

        verbose_name_plural = "people"

    def clean(self) -> None:
        """One address has one account: forms look for another one after this."""
        self.email = plain_address(self.email)


class Attempt(models.Model):
    """Somebody tried something whose rate is limited."""

    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=200)
    at = models.DateTimeField(db_index=True)

    class Meta:
        """What is looked up."""

        indexes = (models.Index(fields=["kind", "key"], name="attempts"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
