"""How often somebody may try; counted in the database, which all processes of the server share."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone

from weft.service.accounts.models import Attempt

WINDOW = timedelta(minutes=15)
TOO_OFTEN = "Too many attempts. Wait 15 minutes, then try again."


def allowed(kind: str, key: str, most: int) -> bool:
    """Count an attempt; False when `key` has had `most` of the kind within the window."""
    now = timezone.now()
    with transaction.atomic():
        # Those of a later time are of a clock that has been set back.
        Attempt.objects.filter(~Q(at__range=(now - WINDOW, now + WINDOW))).delete()
        if Attempt.objects.filter(kind=kind, key=key[:200]).count() >= most:
            return False
        Attempt.objects.create(kind=kind, key=key[:200], at=now)
    return True


def forget(kind: str, key: str) -> None:
    """Attempts of somebody who has succeeded do not count."""
    Attempt.objects.filter(kind=kind, key=key[:200]).delete()


def caller(request: HttpRequest) -> str:
    """The caller's address; behind the site's own proxy the one that the proxy saw."""
    seen = str(request.META.get("REMOTE_ADDR", ""))
    forwarded = request.headers.get("X-Forwarded-For", "")
    # Only a proxy on this machine may speak for others; what it saw comes last.
    return forwarded.rpartition(",")[2].strip() if forwarded and seen == "127.0.0.1" else seen
