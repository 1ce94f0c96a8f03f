"""What a site decides, from environment variables that begin with `WEFT_SERVICE_`."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from urllib.parse import unquote, urlsplit

from weft.files.layout import CLONE, Layout

PREFIX = "WEFT_SERVICE_"
#: Where the web server of `make serve` listens.
LISTEN = "127.0.0.1:8000"
_ENGINES = {
    "sqlite": "django.db.backends.sqlite3",
    "postgresql": "django.db.backends.postgresql",
}


class SettingError(ValueError):
    """A variable has a value that the service does not understand."""


def text(name: str, default: str = "") -> str:
    """A variable, named without its prefix."""
    return os.environ.get(PREFIX + name, default)


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
