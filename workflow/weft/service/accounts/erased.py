"""What goes with an account beside the rows that belong to it."""

from __future__ import annotations

from django.contrib.admin.models import LogEntry
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session

from weft.service.accounts import asked, guesses
from weft.service.accounts.models import Person


def erase_traces(person: Person) -> None:
    """No session, no counted attempt and no line of the admin pages tells of the account."""
    number = str(person.pk)
    sessions = Session.objects.only("session_key", "session_data").iterator()
    own = [each.pk for each in sessions if each.get_decoded().get(SESSION_KEY) == number]
    Session.objects.filter(pk__in=own).delete()
    guesses.erase(person)
    asked.erase(person.email)
    kind = ContentType.objects.get_for_model(Person)
    LogEntry.objects.filter(content_type=kind, object_id=number).delete()
