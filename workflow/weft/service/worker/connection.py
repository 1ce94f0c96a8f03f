"""Calls to the server."""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Callable
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from weft import __version__
from weft.service.protocol import FOLDER_HEADER, VERSION_HEADER

_TIMEOUT_S = 30.0


class GoneError(Exception):
    """The task no longer belongs to this worker: forget it."""


class RefusedError(Exception):
    """The server does not let this worker in, or does not take what it sends; the text says why."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        super().__init__(text)


class AwayError(Exception):
    """The server does not answer now."""


class Connection:
    """A server, and the token and the folder by which it knows this worker."""

    def __init__(self, server: str, token: str, folder: str) -> None:
        self._base = f"{server.rstrip('/')}/api"
        self._headers = {
            "Authorization": f"Bearer {token}",
            VERSION_HEADER: __version__,
            FOLDER_HEADER: folder,
        }

    def call(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        timeout_s: float = _TIMEOUT_S,
        **headers: str,
    ) -> bytes:
        """The server's answer, if it comes in time.

        Raises AwayError where it is worth to try again.
        """
        sent = {**self._headers, **{key.replace("_", "-"): value for key, value in headers.items()}}
        request = Request(f"{self._base}/{path}", body or None, sent, method=method)
        try:
            with urlopen(request, timeout=timeout_s) as answer:
                content: bytes = answer.read()
                return content
        except HTTPError as error:
            text = error.read(2000).decode(errors="replace").strip()
            if error.code == 410:
                raise GoneError from error
            if error.code in (429, 500, 502, 503, 504, 507):
                raise AwayError(f"{error.code} {text[:200]}") from error
            raise RefusedError(error.code, text) from error
        except ssl.SSLCertVerificationError as error:
            raise RefusedError(0, str(error)) from error
        except (URLError, http.client.HTTPException, OSError) as error:
            if isinstance(getattr(error, "reason", None), ssl.SSLCertVerificationError):
                raise RefusedError(0, str(error)) from error
            raise AwayError(str(error)) from error


def insist(call: Callable[[], bytes], for_s: float) -> bytes:
    """Call until the server answers, at most so long."""
    began, wait_s = time.monotonic(), 0.5
    while True:
        try:
            return call()
        except AwayError:
            if time.monotonic() - began > for_s:
                raise
            time.sleep(wait_s)
            wait_s = min(wait_s * 2, 10)
