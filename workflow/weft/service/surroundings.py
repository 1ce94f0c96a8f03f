"""What a site decides, from environment variables that begin with `WEFT_SERVICE_`."""

from __future__ import annotations

import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from weft.files.layout import CLONE, Layout

PREFIX = "WEFT_SERVICE_"
#: Where the web server of `make serve` listens.
LISTEN = "127.0.0.1:8000"
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?|[0-9a-f:.]*:[0-9a-f:.]*")
_PATH = re.compile(r"(/[A-Za-z0-9_-]+)*")
_ENGINES = {
    "sqlite": "django.db.backends.sqlite3",
    "postgresql": "django.db.backends.postgresql",
}


class SettingError(ValueError):
    """A variable has a value that the service does not understand."""


def text(name: str, default: str = "") -> str:
    """A variable, named without its prefix."""
    return os.environ.get(PREFIX + name, default)


@dataclass(frozen=True, slots=True)
class Address:
    """Where people reach the server: `https://host:port` and the path before its own addresses."""

    origin: str
    #: As a browser sends it, without the port.
    host: str
    #: Empty, or with a slash at its begin alone.
    path: str

    def __str__(self) -> str:
        return self.origin + self.path


def address() -> Address:
    """What `WEFT_SERVICE_ADDRESS` says, else where the server listens."""
    given = text("ADDRESS")
    named = given or f"http://{text('LISTEN', LISTEN)}"
    variable = PREFIX + ("ADDRESS" if given else "LISTEN")
    try:
        parts = urlsplit(named)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port, parts = "", None, urlsplit("")
    path = parts.path.rstrip("/")
    extra = parts.query or parts.fragment or parts.username is not None
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(host) or extra:
        raise SettingError(
            f"{variable}={given or text('LISTEN')}: give https://host, http://host:port, "
            "http://[::1]:port for IPv6, or one of these with a path such as https://host/weft"
        )
    if not _PATH.fullmatch(path):
        raise SettingError(f"{variable}={given}: a path has letters, digits, '_', '-' and '/'")
    if not given and host in ("0.0.0.0", "::"):
        raise SettingError(
            f"{variable}={text('LISTEN')} is every address of this machine: say in {PREFIX}ADDRESS "
            "which one people use, for instance http://host:8000"
        )
    shown = f"[{host}]" if ":" in host else host
    origin = f"{parts.scheme}://{shown}" + (f":{port}" if port else "")
    return Address(origin, shown, path)


def listening_host() -> str:
    """Where the server listens, as a browser names it without the port."""
    return text("LISTEN", LISTEN).rpartition(":")[0]


def number(name: str, default: int) -> int:
    """A variable that holds a whole number from 0."""
    found = text(name, str(default))
    if not found.isdecimal():
        raise SettingError(f"{PREFIX}{name}={found}: give a whole number")
    return int(found)


def state_folder() -> Path:
    """Where the service keeps its database, its secret, uploads and results."""
    folder = Path(text("STATE") or CLONE / ".service").absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def forms_folder() -> Path:
    """Where the templates of forms lie."""
    return Path(text("FORMS") or Layout(CLONE).configs / "service").absolute()


def secret() -> str:
    """The key that signs sessions and links; made on the first start."""
    path = state_folder() / "secret"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text()
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(48))
    return path.read_text()


def database() -> dict[str, object]:
    """The database that `WEFT_SERVICE_DATABASE` names, as Django wants it.

    `sqlite:///path` or `postgresql://user:password@host:port/name`; without a host PostgreSQL is
    reached by its socket, whose folder `?host=` may name.
    """
    named = text("DATABASE") or f"sqlite:///{state_folder() / 'service.sqlite3'}"
    parts = urlsplit(named)
    if parts.scheme not in _ENGINES or not parts.path.strip("/"):
        raise SettingError(
            f"{PREFIX}DATABASE={named}: give sqlite:///path or postgresql://user@host/name"
        )
    found: dict[str, object] = {"ENGINE": _ENGINES[parts.scheme], "CONN_HEALTH_CHECKS": True}
    if parts.scheme == "sqlite":
        pragmas = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        options = {"transaction_mode": "IMMEDIATE", "timeout": 30, "init_command": pragmas}
        return {**found, "NAME": unquote(parts.path[1:]), "OPTIONS": options, "CONN_MAX_AGE": 600}
    socket = dict(each.partition("=")[::2] for each in parts.query.split("&")).get("host", "")
    return {
        **found,
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or socket),
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 60,
    }
