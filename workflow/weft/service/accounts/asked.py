"""Mails that anybody may ask for, at any address: how often, and what they say.

Each goes to somebody who may not have asked for it.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone

from weft.service.accounts.rate import Limit, address, caller

_BY, _OF = Limit("mail by", 20, pause_s=60), Limit("mail of", 3, pause_s=300)


def wait_s(request: HttpRequest, email: str) -> float:
    """Count a mail and return 0, or return the seconds until there may be one."""
    return max(_BY.wait_s(caller(request)), _OF.wait_s(email))


def erase(email: str) -> None:
    """Nobody has asked for a mail to this address."""
    _OF.forget(email)


def letter(request: HttpRequest, wish: str, link: str, otherwise: str) -> str:
    """The mail with a link to a password, or with what is so if there is no link."""
    asked = (
        f"Somebody at the network address {address(request)[:60]} asked weft for {wish} with "
        f"your mail address, on {timezone.now():%Y-%m-%d at %H:%M} UTC."
    )
    if not link:
        return f"{asked}\n\n{otherwise} Nothing has changed.\n"
    return (
        f"{asked}\n\nIf that was you, open this link within a day and choose your password:\n\n"
        f"{link}\n\nIf it was not, do nothing: without the link nothing changes.\n"
    )
