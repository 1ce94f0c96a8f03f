"""Accounts that an administrator makes: a mail brings the link to the password."""

from __future__ import annotations

from django.conf import settings
from django.core import signing
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from weft.service.accounts.models import Person
from weft.service.tasks.mails import mail

_SALT = "weft.invitation"
_VALID_S = 7 * 24 * 3600


def invite(person: Person) -> bool:
    """Send the link; returns whether a server took the mail."""
    token = signing.dumps([person.pk, _state(person)], salt=_SALT)
    link = settings.ORIGIN + reverse("invited", args=[token])
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
    return (
        person if person is not None and constant_time_compare(_state(person), str(state)) else None
    )


def _state(person: Person) -> str:
    """Changes with the password, so that its link is then void, and tells nothing about it."""
    return str(salted_hmac(_SALT, person.password).hexdigest())
