"""Applications with real mail, over SMTP on the loopback."""

import email
import email.policy
import re
import socketserver
import threading
from collections.abc import Iterator

import pytest

from tests.service.conftest import PASSWORD, Browser, Site

pytestmark = pytest.mark.slow


class Session(socketserver.StreamRequestHandler):
    """The receiving side of RFC 5321, as far as a sender needs it."""

    server: "Mailbox"

    def handle(self) -> None:
        self._say("220 mail.test")
        while line := self.rfile.readline().decode().strip():
            word = line.split()[0].upper()
            if word == "DATA":
                self._say("354 go on")
                lines: list[bytes] = []
                while (part := self.rfile.readline()) != b".\r\n":
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


@pytest.fixture
def mailbox(site: Site) -> Iterator[Mailbox]:
    with Mailbox() as box:
        threading.Thread(target=box.serve_forever, daemon=True).start()
        port = str(box.server_address[1])
        site.more |= {"WEFT_SERVICE_MAIL_HOST": "127.0.0.1", "WEFT_SERVICE_MAIL_PORT": port}
        site.more["WEFT_SERVICE_ADMINS"] = "admin@example.org"
        yield box
        box.shutdown()


def link(text: str) -> str:
    found = re.search(r"http://\S+", text)
    assert found, text
    return found[0]


def people(site: Site) -> str:
    return site.python(
        "from weft.service.accounts.models import Person\n"
        "print(*Person.objects.values_list('email', flat=True))"
    )


def test_an_application_becomes_an_account_by_the_link_of_its_mail(
    site: Site, mailbox: Mailbox
) -> None:
    site.start_server()
    browser = Browser(site.address)
    answer = browser.post("/accounts/apply", email="Ann@example.org", password=PASSWORD)
    assert "sent you a mail" in answer.text
    assert people(site) == ""
    assert "/accounts/log-in" in browser.log_in("ann@example.org").url
    (text,) = mailbox.texts()
    assert "To: ann@example.org" in text
    # Looking at the link, as programs that check mails do, makes no account.
    browser.get(link(text))
    assert people(site) == ""
    browser.post(link(text))
    assert people(site) == "ann@example.org"
    assert "Your tasks" in browser.log_in("ann@example.org").text
    stored = site.python(
        "from weft.service.accounts.models import Person\nprint(Person.objects.get().password)"
    )
    assert stored.startswith("argon2$argon2id$")


def test_an_address_with_an_account_gets_the_same_answer_and_no_new_password(
    site: Site, mailbox: Mailbox
) -> None:
    site.account("ann@example.org")
    site.start_server()
    browser = Browser(site.address)
    known = browser.post("/accounts/apply", email="ann@example.org", password="another-phrase-1")
    fresh = browser.post("/accounts/apply", email="ben@example.org", password="another-phrase-1")
    assert known.text == fresh.text
    assert "http" not in mailbox.texts()[0]


@pytest.mark.parametrize(
    ("address", "password", "said"),
    [
        ("x@example.org\nBcc: y@example.org", PASSWORD, "valid email address"),
        ("ann@example.org", "12345678", "too common"),
    ],
)
def test_a_bad_application_sends_nothing(
    address: str, password: str, said: str, site: Site, mailbox: Mailbox
) -> None:
    site.start_server()
    answer = Browser(site.address).post("/accounts/apply", email=address, password=password)
    assert answer.status == 200
    assert said in answer.text
    assert mailbox.mails == []


def test_a_forged_link_makes_no_account(site: Site, mailbox: Mailbox) -> None:
    site.start_server()
    browser = Browser(site.address)
    browser.post("/accounts/apply", email="ann@example.org", password=PASSWORD)
    assert browser.get(link(mailbox.texts()[0])[:-1] + "_").status == 404
    assert people(site) == ""


def test_administrators_hear_of_a_silent_worker_and_owners_of_the_end(
    site: Site, mailbox: Mailbox
) -> None:
    site.account("ann@example.org")
    site.start_server()
    ann = Browser(site.address)
    ann.log_in("ann@example.org")
    ann.submit()
    site.python(
        "import datetime\nfrom django.utils import timezone\n"
        "from weft.service.queue.models import Worker\n"
        "from weft.service.tasks.models import Task\n"
        "w = Worker(name='lost'); w.renew_token(); w.save()\n"
        "Task.objects.update(state='running', worker=w, lease='x', attempts=3,"
        " leased_until=timezone.now() - datetime.timedelta(seconds=1))"
    )
    site.manage("sweep")
    first, second = mailbox.texts()
    assert "To: admin@example.org" in first
    assert "To: ann@example.org" in second
    assert "has failed" in second
    assert ann.get(link(second)).status == 200


def test_the_sweep_removes_expired_results_and_erases_guests(site: Site, mailbox: Mailbox) -> None:
    site.start_server()
    browser = Browser(site.address)
    browser.post("/accounts/apply", email="ann@example.org", password=PASSWORD)
    browser.post(link(mailbox.texts()[0]))
    browser.log_in("ann@example.org")
    page = browser.submit().url
    browser.post(page + "stop", at=page)
    site.manage("sweep")
    assert people(site) == "ann@example.org"
    assert "stay until" in browser.get(page).text
    site.python(
        "import datetime\nfrom django.utils import timezone\n"
        "from weft.service.tasks.models import Task\n"
        "past = timezone.now() - datetime.timedelta(seconds=1)\n"
        "t = Task.objects.get(); t.folder.mkdir(parents=True); t.archive.write_bytes(b'x')\n"
        "Task.objects.update(expires_at=past)"
    )
    site.manage("sweep")
    assert people(site) == ""
    assert list((site.folder / "state" / "results").iterdir()) == []
    assert browser.get(page).status == 404
