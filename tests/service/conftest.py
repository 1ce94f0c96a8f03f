"""Sites for tests: of one test or of a file, with people who are logged in there."""

import http.cookiejar
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.chromium import browser
from tests.patience import PATIENCE_S
from tests.ports import free_port
from tests.service.own_site import BINARY, OPEN, ROOT, Site, ends, wait_for
from tests.service.person import PASSWORD, SMALL, Answered, Browser
from tests.service.postgres import on_postgresql, postgresql, tables_of_postgresql

__all__ = [
    "BINARY", "OPEN", "PASSWORD", "ROOT", "SMALL", "Answered", "Browser", "Site", "browser", "ends",
    "free_port", "on_postgresql", "postgresql", "tables_of_postgresql", "wait_for",
]  # fmt: skip


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with all tables and no rows: making them takes seconds."""
    site = Site(tmp_path_factory.mktemp("tables"))
    site.manage("migrate", "--verbosity", "0")
    return site.database


def with_tables(folder: Path, tables: Path) -> Site:
    """A site that nobody has used."""
    site = Site(folder)
    site.database.parent.mkdir(mode=0o700)
    shutil.copy(tables, site.database)
    return site


@pytest.fixture
def site(tmp_path: Path, tables: Path) -> Iterator[Site]:
    """A server's state with its tables; nothing runs yet."""
    found = with_tables(tmp_path, tables)
    yield found
    found.end()


@contextmanager
def running(site: Site) -> Iterator[Site]:
    """A site with its server, which ends afterwards."""
    try:
        site.start_server()
        yield site
    finally:
        site.end()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, tables: Path) -> Iterator[Site]:
    """A server that runs for all tests of a file: starting one takes seconds."""
    with running(with_tables(tmp_path_factory.mktemp("server"), tables)) as found:
        yield found


def restore(kept: Path, database: Path) -> None:
    """Give a database that a server uses the rows of a kept one."""
    with (
        closing(sqlite3.connect(kept)) as source,
        closing(sqlite3.connect(database, timeout=PATIENCE_S)) as used,
    ):
        source.backup(used)


def forget(site: Site, tables: Path) -> None:
    """Make a site that runs one that nobody has used."""
    restore(tables, site.database)
    for folder in site.state.iterdir():
        if folder.is_dir():
            shutil.rmtree(folder)


@pytest.fixture
def shared(server: Site, tables: Path, tmp_path: Path) -> Iterator[Site]:
    """The server of the file as if nobody had used it; for whoever needs no settings of its own.

    What a test starts beside the server is its own, and ends with it.
    """
    forget(server, tables)
    found = Site(tmp_path, server.port, {**server.more}, state=server.state, _shell=server._shell)
    yield found
    server._shell, found._shell = found._shell, None
    found.end()


def logged_in(site: Site, address: str = "ann@example.org") -> Browser:
    """Somebody with an account, logged in."""
    site.account(address)
    browser = Browser(site.address)
    assert browser.log_in(address).status == 200
    return browser


@dataclass(frozen=True)
class LoggedIn:
    """Rows of a server's database with one account and its session, and the session's cookies."""

    rows: Path
    cookies: http.cookiejar.CookieJar


@pytest.fixture(scope="module")
def ann_once(server: Site, tables: Path, tmp_path_factory: pytest.TempPathFactory) -> LoggedIn:
    """Ann's account and session at the server of the file: two hashes of a password take half a
    second of processor time."""
    restore(tables, server.database)
    cookies = logged_in(server).cookie_jar
    rows = tmp_path_factory.mktemp("ann") / "service.sqlite3"
    restore(server.database, rows)
    return LoggedIn(rows, cookies)


@pytest.fixture
def ann(ann_once: LoggedIn, shared: Site) -> Browser:
    """Somebody who is logged in at the server of the file, which nobody has used otherwise."""
    restore(ann_once.rows, shared.database)
    browser = Browser(shared.address)
    for cookie in ann_once.cookies:
        browser.cookie_jar.set_cookie(cookie)
    return browser
