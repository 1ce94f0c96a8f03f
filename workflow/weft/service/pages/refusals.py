"""Requests that no page gets to see, and answers where a page breaks down."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from django.conf import settings
from django.core.exceptions import (
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string

from weft.service.access import log_in_again
from weft.service.accounts import unsent
from weft.service.protocol import PIECE_BYTES

Respond = Callable[[HttpRequest], HttpResponse]
#: Texts of a form, beside its files.
_TEXT_BYTES = 2 << 20
#: So much of a request that is too large is read and thrown away: a browser shows no answer before
#: it has sent everything.
_THROWN_AWAY_BYTES = 256 << 20
_BLOCK_BYTES = 1 << 20
#: Workers send JSON, which their own models check.
_OF_WORKERS = "/api/"


def refusing(respond: Respond) -> Respond:
    """Refuse what is too large by its announced size, before anything of it is read or kept, and
    texts with NUL, which no database has in a text."""

    def answer(request: HttpRequest) -> HttpResponse:
        size = _announced_bytes(request)
        if size > _TEXT_BYTES + max(settings.UPLOAD_BYTES, PIECE_BYTES):
            _throw_away(request)
            return _said(
                413,
                f"Your browser sent {size:,} bytes. The files of a task have at most "
                f"{settings.UPLOAD_BYTES:,} bytes together. Nothing was kept.",
            )
        if not request.path_info.startswith(_OF_WORKERS) and any(
            "\0" in t for t in _texts(request)
        ):
            return _said(400, "A text has the character NUL, which no text may have.")
        return respond(request)

    return answer


def _announced_bytes(request: HttpRequest) -> int:
    announced = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(announced) if announced.isdecimal() else 0


def _throw_away(request: HttpRequest) -> None:
    left = _THROWN_AWAY_BYTES
    while left > 0 and (block := request.read(_BLOCK_BYTES)):
        left -= len(block)


def _texts(request: HttpRequest) -> Iterator[str]:
    yield request.path_info
    for fields in (request.GET, request.POST):
        for key, values in fields.lists():
            yield from (str(key), *map(str, values))
    for key, files in request.FILES.lists():
        yield from (str(key), *(str(file.name) for file in files))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What Django refuses before a page sees it, with the limit that was passed."""
    if isinstance(exception, TooManyFilesSent):
        return _said(400, f"A task has at most {settings.UPLOAD_FILES} files.")
    if isinstance(exception, TooManyFieldsSent):
        most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
        return _said(400, f"A form has at most {most} fields.")
    if isinstance(exception, RequestDataTooBig):
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return _said(413, f"The texts of a form have at most {most:,} bytes.")
    return _said(400, "The server does not understand this request.")


def too_old(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A page from before the last log-in, or from another site: it changes nothing.

    Of a form the page comes again, with what was typed.
    """
    text = str(request.POST.get(unsent.FIELD, "")) or unsent.packed(request)
    if text and not request.user.is_authenticated:
        return log_in_again(request)
    if text and (path := unsent.keep(request, text)):
        return HttpResponseRedirect(path)
    said = "This page is older than your last log-in. Load it again, then try again."
    return HttpResponse(render_to_string("pages/said.html", {"said": said}), status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """The page of a failure, which needs no database."""
    full = isinstance(sys.exc_info()[1], DatabaseError | OSError)
    said = "The database or the disk of this server does not answer now." if full else "A fault."
    status = 503 if full else 500
    if request.path_info.startswith(_OF_WORKERS):
        return HttpResponse(f"{said}\n", status=status, content_type="text/plain; charset=utf-8")
    return _said(status, f"{said} What was submitted before is not lost. Try again in a minute.")


def _said(status: int, said: str) -> HttpResponse:
    # Without the request: nobody's session has to be read for it.
    return HttpResponse(render_to_string("pages/said.html", {"said": said}), status=status)
