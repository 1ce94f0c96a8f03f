"""How often somebody may try; counted in the database, which all processes of the server share.

Whoever tries too often has to wait longer and longer. Nobody else does: a limit counts what one
caller does to one account or page. A wider one slows down who goes from one to the next.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import ip_address, ip_network

from django.db.models import Count, Max, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from weft.service.accounts.models import Attempt

#: Attempts before that do not count.
_WINDOW = timedelta(minutes=15)
#: In IPv6 a machine has a network of so many bits, and changes the others at will.
_OWN_BITS = 64


@dataclass(frozen=True, slots=True)
class Limit:
    """So many attempts are free; the pause before the next one doubles, up to a longest one."""

    kind: str
    free: int
    pause_s: float = 1.0
    longest_pause_s: float = _WINDOW.total_seconds()

    def wait_s(self, *key: str) -> float:
        """Count an attempt and return 0, or return the seconds until there may be one."""
        now = timezone.now()
        # Those of a later time are of a clock that has been set back.
        Attempt.objects.filter(~Q(at__range=(now - _WINDOW, now + _WINDOW))).delete()
        # First of all: of attempts at the same time each then sees the others.
        mine = Attempt.objects.create(kind=self.kind, key=_text(key), at=now)
        others = Attempt.objects.filter(kind=self.kind, key=mine.key).exclude(pk=mine.pk)
        found = others.aggregate(count=Count("pk"), last=Max("at"))
        over = found["count"] - self.free
        if over < 0:
            return 0.0
        pause_s = min(self.pause_s * 2.0 ** min(over, 30), self.longest_pause_s)
        left_s = pause_s - max(0.0, (now - found["last"]).total_seconds())
        if left_s > 0:
            mine.delete()
        return max(0.0, left_s)

    def forget(self, *key: str) -> None:
        """Attempts of somebody who has succeeded do not count."""
        Attempt.objects.filter(kind=self.kind, key=_text(key)).delete()

    def forgive(self, *key: str) -> None:
        """The last attempt does not count."""
        last = Attempt.objects.filter(kind=self.kind, key=_text(key)).order_by("-pk").first()
        if last is not None:
            last.delete()


def _text(key: tuple[str, ...]) -> str:
    return " ".join(key)[:200]


def wait(request: HttpRequest, seconds: float) -> HttpResponse:
    """The page for whoever has to wait."""
    whole_s = max(1, math.ceil(seconds))
    said = f"Too many attempts. Wait {whole_s} s, then try again."
    answer = render(request, "pages/said.html", {"said": said}, status=429)
    answer["Retry-After"] = str(whole_s)
    return answer


def address(request: HttpRequest) -> str:
    """The caller's address; behind the site's own proxy the one that the proxy saw."""
    seen = str(request.META.get("REMOTE_ADDR", ""))
    forwarded = request.headers.get("X-Forwarded-For", "")
    # Only a proxy on this machine may speak for others; what it saw comes last.
    return forwarded.rpartition(",")[2].strip() if forwarded and _is_here(seen) else seen


def caller(request: HttpRequest) -> str:
    """Whose attempts count together: an address of IPv4, or a network of IPv6."""
    seen = address(request)
    try:
        if ip_address(seen).version == 4:
            return seen
        return str(ip_network((seen, _OWN_BITS), strict=False))
    except ValueError:
        return seen


def _is_here(seen: str) -> bool:
    try:
        return ip_address(seen).is_loopback
    except ValueError:
        return False
