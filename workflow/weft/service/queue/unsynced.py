"""Writes that need not wait for the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def unsynced() -> Iterator[None]:
    """On SQLite, writes here survive the end of any process but not a power cut.

    Use it for what the worker's next call says again, or what a worker may do twice in vain. The
    next synced write takes them with it.

    Outside of transactions only; one may begin inside. PostgreSQL collects the writes of many
    connections by itself.
    """
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous=NORMAL")
        try:
            yield
        finally:
            cursor.execute("PRAGMA synchronous=FULL")
