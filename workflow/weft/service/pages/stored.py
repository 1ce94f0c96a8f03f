"""Pages are for one reader: nothing of them stays in a browser that several people use."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

Respond = Callable[[HttpRequest], HttpResponse]


def not_stored(respond: Respond) -> Respond:
    """Let no browser and no proxy store an answer, unless it says itself how it may be."""

    def answer(request: HttpRequest) -> HttpResponse:
        made = respond(request)
        made.headers.setdefault("Cache-Control", "no-store")
        return made

    return answer


def kept_for_back(made: HttpResponse) -> HttpResponse:
    """An empty form: what somebody types is still there after *back*, so nothing is sent twice."""
    made["Cache-Control"] = "private, no-cache"
    return made
