"""Answers to HEAD have no body: about one that had, the web server would complain in its log."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

Respond = Callable[[HttpRequest], HttpResponse]


def without_body(respond: Respond) -> Respond:
    """Leave out what a page has made for HEAD; its length stays, as for GET."""

    def answer(request: HttpRequest) -> HttpResponse:
        made = respond(request)
        if request.method == "HEAD" and not made.streaming:
            made.content = b""
        return made

    return answer
