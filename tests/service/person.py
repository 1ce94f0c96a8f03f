"""Somebody at a browser without JavaScript: keeps cookies, follows links, sends forms and files."""

import http.cookiejar
import re
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass

from tests.patience import PATIENCE_S

PASSWORD = "a-long-pass-phrase"
SMALL = """\
title: Small
question: Does it run?
defaults:
  - override /topology: torus
  - override /network: gigabit
  - override /workload: uniform
engines: [flow]
topology: {dimensions: 2}
sweep:
  topology.k: [4, 5]
"""


@dataclass
class Answered:
    status: int
    url: str
    text: str
    content: bytes
    headers: dict[str, str]


class Browser:
    """Keeps cookies, follows links, sends forms with their tokens."""

    def __init__(self, address: str, caller: str = "") -> None:
        """`caller` is a network address that a proxy on this machine reports."""
        self.address = address
        self.cookie_jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookie_jar)
        )
        if caller:
            self._opener.addheaders.append(("X-Forwarded-For", caller))

    @property
    def cookies(self) -> str:
        """What it sends as the header Cookie."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookie_jar)

    def get(self, path: str) -> Answered:
        return self._open(urllib.request.Request(self._url(path)))

    def head(self, path: str) -> Answered:
        return self._open(urllib.request.Request(self._url(path), method="HEAD"))

    def post(self, path: str, at: str | None = None, **fields: str) -> Answered:
        """Send a form of the page `at`."""
        page = self.get(at or path)
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        token = found[1] if found else ""
        body = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": token}).encode()
        request = urllib.request.Request(self._url(path), body)
        request.add_header("Referer", self._url(path))
        return self._open(request)

    def upload(self, path: str, files: dict[str, tuple[str, bytes]], **fields: str) -> Answered:
        """Send a form with files, each as name and content by its field."""
        page = self.get(path)
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        boundary = b"weft-test-boundary"
        parts = [
            f'name="{key}"\r\n\r\n{value}'.encode()
            for key, value in {**fields, "csrfmiddlewaretoken": found[1] if found else ""}.items()
        ]
        for key, (name, content) in files.items():
            # What follows a space tells several files of one field apart.
            key = key.partition(" ")[0]
            named = f'name="{key}"; filename="{name}"\r\n\r\n'
            parts.append(named.encode(errors="surrogateescape") + content)
        head = b"--" + boundary + b"\r\nContent-Disposition: form-data; "
        body = b"".join(head + part + b"\r\n" for part in parts) + b"--" + boundary + b"--\r\n"
        request = urllib.request.Request(self._url(path), body)
        request.add_header("Content-Type", f"multipart/form-data; boundary={boundary.decode()}")
        request.add_header("Referer", self._url(path))
        return self._open(request)

    def log_in(self, address: str, password: str = PASSWORD) -> Answered:
        return self.post("/accounts/log-in", username=address, password=password)

    def submit(self, text: str = SMALL, name: str = "small", timeout_s: int = 600) -> Answered:
        return self.post("/submit/yaml", name=name, yaml=text, timeout_s=str(timeout_s))

    def _url(self, path: str) -> str:
        return path if "://" in path else self.address + path

    def _open(self, request: urllib.request.Request) -> Answered:
        try:
            answer = self._opener.open(request, timeout=PATIENCE_S)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            content = answer.read()
            headers = {key.lower(): value for key, value in answer.headers.items()}
            text = content.decode(errors="replace")
            return Answered(answer.status or 0, answer.url or "", text, content, headers)
