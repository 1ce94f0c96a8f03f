"""A mail server on the loopback, which keeps what it gets."""

import email
import email.policy
import re
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.service.conftest import Site, running, with_tables


class Session(socketserver.StreamRequestHandler):
    """The receiving side of RFC 5321, as far as a sender needs it."""

    server: "Mailbox"
    #: A sender that says nothing for so long has gone.
    timeout = PATIENCE_S

    def handle(self) -> None:
        self._say("220 mail.test")
        while line := self.rfile.readline().decode().strip():
            word = line.split()[0].upper()
            if word == "DATA":
                self._say("354 go on")
                lines: list[bytes] = []
                while (part := self.rfile.readline()) != b".\r\n":
                    if not part:
                        # The sender broke off: that is no mail, and no more of it will come.
                        return
                    lines.append(part.removeprefix(b".") if part.startswith(b"..") else part)
                self.server.mails.append(b"".join(lines))
            self._say("221 bye" if word == "QUIT" else "250 ok")
            if word == "QUIT":
                return

    def _say(self, text: str) -> None:
        self.wfile.write(text.encode() + b"\r\n")


class Mailbox(socketserver.ThreadingTCPServer):
    """Keeps every mail that arrives."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Session)
        self.mails: list[bytes] = []

    def texts(self) -> list[str]:
        policy = email.policy.default
        found = [email.message_from_bytes(mail, policy=policy) for mail in self.mails]
        return [f"To: {each['To']}\n{each.get_content()}" for each in found]


def link(text: str) -> str:
    """The address in a mail."""
    found = re.search(r"http://\S+", text)
    assert found, text
    return found[0]


@contextmanager
def mailbox_of(site: Site) -> Iterator[Mailbox]:
    """Takes the mails of a server that is not started yet."""
    with Mailbox() as box:
        threading.Thread(target=box.serve_forever, daemon=True).start()
        port = str(box.server_address[1])
        site.more |= {"WEFT_SERVICE_MAIL_HOST": "127.0.0.1", "WEFT_SERVICE_MAIL_PORT": port}
        site.more["WEFT_SERVICE_ADMINS"] = "admin@example.org"
        yield box
        box.shutdown()


@pytest.fixture(scope="module")
def with_mails(
    tmp_path_factory: pytest.TempPathFactory, tables: Path
) -> Iterator[tuple[Site, Mailbox]]:
    site = with_tables(tmp_path_factory.mktemp("server"), tables)
    with mailbox_of(site) as box, running(site):
        yield site, box


@pytest.fixture(scope="module")
def server(with_mails: tuple[Site, Mailbox]) -> Site:
    """In place of the server that sends no mails."""
    return with_mails[0]


@pytest.fixture
def mailbox(with_mails: tuple[Site, Mailbox]) -> Mailbox:
    """What the server of the file sends from now on."""
    box = with_mails[1]
    box.mails.clear()
    return box
