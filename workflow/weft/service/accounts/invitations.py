"""Accounts that an administrator makes: a mail brings the link to the password."""

from __future__ import annotations

from django.conf import settings
from django.core import signing
from django.urls import reverse

from weft.service.accounts.models import Person
from weft.service.tasks.mails import mail

_SALT = "weft.invitation"
_VALID_S = 7 * 24 * 3600
#: So much of the stored password: as soon as there is another one, the link is void.
_STATE = 20


def invite(person: Person) -> bool:
    """Send the link; returns whether a server took the mail."""
    token = signing.dumps([person.pk, person.password[-_STATE:]], salt=_SALT)
    link = settings.ADDRESS + reverse("invited", args=[token])
    body = (
        "You are invited to use weft. Open this link within a week, and choose your password:\n\n"
        f"{link}\n"
    )
    return mail("weft: your invitation", body, person.email)


def invited(token: str) -> Person | None:
    """Whose link it is; None if it is none, or has been used."""
    try:
        number, state = signing.loads(token, salt=_SALT, max_age=_VALID_S)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    person: Person | None = Person.objects.filter(pk=number, is_active=True).first()
    return person if person is not None and person.password[-_STATE:] == state else None
