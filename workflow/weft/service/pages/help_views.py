"""The page that explains the others."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from weft.service.access import everybody
from weft.service.tasks.models import State

#: What a state means for whoever waits.
_MEANINGS = {
    State.QUEUED: "No worker is free yet. Its page shows its place and the longest wait. "
    "You can cancel it.",
    State.CLAIMED: "A worker fetches its files and plans its points. You can stop it.",
    State.RUNNING: "A worker computes its points, and the page counts them. You can stop it.",
    State.PACKING: "Nothing of it runs any more, and the worker makes the archive.",
    State.DONE: "All points have an outcome, and the result is there.",
    State.FAILED: "It ended before that. The page says why, and has what was finished.",
    State.STOPPED: "You stopped it, or its time-out was reached. What was finished is there, "
    "or follows if its worker comes back.",
    State.CANCELLED: "You took it from the queue. Nothing has run.",
}


@everybody
@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """What the form, the states, the archives and the limits are."""
    context = {
        "states": _MEANINGS.items(),
        "retries": settings.RETRIES,
        "keep_days": settings.KEEP_DAYS,
        "most_s": settings.TIMEOUT_S,
        "most_files": settings.UPLOAD_FILES,
        "most_bytes": f"{settings.UPLOAD_BYTES:,}",
        "result_bytes": f"{settings.RESULT_BYTES:,}",
    }
    return render(request, "pages/help.html", context)
