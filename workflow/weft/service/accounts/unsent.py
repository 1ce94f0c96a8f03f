"""Texts of a form that came when its session had ended: its page shows them after the log-in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import HttpRequest
from django.urls import get_script_prefix
from pydantic import BaseModel, Field, ValidationError

NOT_SENT = (
    "Your session had ended, or you have logged in again. What you typed is here; choose files "
    "that you had just chosen once more. Nothing was queued."
)
#: The name under which a browser brings them back, and under which a session keeps them.
FIELD = "unsent"
#: Longer texts are in files.
_MOST_CHARACTERS = 300_000
#: What a button says, and what belongs to one request alone.
_OF_THE_REQUEST = ("csrfmiddlewaretoken", "check", "submit", "download", FIELD)


class Unsent(BaseModel):
    """The address of a form, and what stands in its fields."""

    path: str = Field(pattern=r"^/submit/[\w/-]+$")
    fields: dict[str, list[str]]


def packed(request: HttpRequest) -> str:
    """What the request has typed, as one text; empty if it is of no form, or too long."""
    fields = {
        key: list(map(str, request.POST.getlist(key)))
        for key in request.POST
        if key not in _OF_THE_REQUEST
    }
    try:
        text = Unsent(path=request.path_info, fields=fields).model_dump_json()
    except ValidationError:
        return ""
    return text if len(text) <= _MOST_CHARACTERS else ""


def keep(request: HttpRequest, text: str) -> str:
    """Keep it in the session of whoever is logged in; returns the form's address, or nothing."""
    try:
        held = Unsent.model_validate_json(text[: _MOST_CHARACTERS + 1])
    except ValidationError:
        return ""
    request.session[FIELD] = held.model_dump()
    return get_script_prefix().rstrip("/") + held.path


def taken(request: HttpRequest) -> Mapping[str, Sequence[str]] | None:
    """What this form was to be sent with; once."""
    held = request.session.get(FIELD)
    if held is None or held["path"] != request.path_info:
        return None
    del request.session[FIELD]
    fields: Mapping[str, Sequence[str]] = held["fields"]
    return fields
