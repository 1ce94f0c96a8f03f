"""The server as gunicorn finds it."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.wsgi import get_wsgi_application

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "weft.service.settings")
_answer = get_wsgi_application()


def application(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
    """The server; a proxy may leave the path of its address in front of a request's, or not."""
    before = settings.FORCE_SCRIPT_NAME or ""
    path = environ.get("PATH_INFO", "")
    if before and (path == before or path.startswith(f"{before}/")):
        environ["PATH_INFO"] = path.removeprefix(before) or "/"
    answer: Iterable[bytes] = _answer(environ, start)
    return answer


from weft.service.forms.offered import offered_forms  # noqa: E402 - needs Django's settings

for _mistake in offered_forms()[1]:
    logging.getLogger(__name__).error("a form cannot be used: %s", _mistake)
