"""Applications and invitations with real mail, over SMTP on the loopback."""

import pytest

from tests.service.conftest import PASSWORD, Browser, Site
from tests.service.mailbox import Mailbox, link, mailbox, server, with_mails

__all__ = ["mailbox", "server", "with_mails"]
pytestmark = [pytest.mark.slow, pytest.mark.long("service")]


def people(site: Site) -> str:
    return site.python(
        "from weft.service.accounts.models import Person\n"
        "print(*Person.objects.values_list('email', flat=True))"
    )


def test_an_application_becomes_an_account_by_the_link_of_its_mail(
    shared: Site, mailbox: Mailbox
) -> None:
    browser = Browser(shared.address)
    answer = browser.post("/accounts/apply", email="Ann@example.org", password=PASSWORD)
    assert "sent you a mail" in answer.text
    assert people(shared) == ""
    assert "/accounts/log-in" in browser.log_in("ann@example.org").url
    (text,) = mailbox.texts()
    assert "To: ann@example.org" in text
    # Looking at the link, as programs that check mails do, makes no account.
    browser.get(link(text))
    assert people(shared) == ""
    browser.post(link(text))
    assert people(shared) == "ann@example.org"
    assert "Your tasks" in browser.log_in("ann@example.org").text
    stored = shared.python(
        "from weft.service.accounts.models import Person\nprint(Person.objects.get().password)"
    )
    assert stored.startswith("argon2$argon2id$")


def test_an_address_with_an_account_gets_the_same_answer_and_no_new_password(
    shared: Site, mailbox: Mailbox
) -> None:
    shared.account("ann@example.org")
    browser = Browser(shared.address)
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
    address: str, password: str, said: str, shared: Site, mailbox: Mailbox
) -> None:
    answer = Browser(shared.address).post("/accounts/apply", email=address, password=password)
    assert answer.status == 200
    assert said in answer.text
    assert mailbox.mails == []


def test_a_forged_link_makes_no_account(shared: Site, mailbox: Mailbox) -> None:
    browser = Browser(shared.address)
    browser.post("/accounts/apply", email="ann@example.org", password=PASSWORD)
    assert browser.get(link(mailbox.texts()[0])[:-1] + "_").status == 404
    assert people(shared) == ""


def test_administrators_hear_of_a_silent_worker_and_owners_of_the_end(
    shared: Site, mailbox: Mailbox
) -> None:
    shared.account("ann@example.org")
    ann = Browser(shared.address)
    ann.log_in("ann@example.org")
    ann.submit()
    shared.python(
        "import datetime\nfrom django.utils import timezone\n"
        "from weft.service.queue.models import Worker\n"
        "from weft.service.tasks.models import Task\n"
        "w = Worker(name='lost'); w.renew_token(); w.save()\n"
        "Task.objects.update(state='running', worker=w, lease='x', attempts=3,"
        " leased_until=timezone.now() - datetime.timedelta(seconds=1))"
    )
    shared.manage("sweep")
    first, second = mailbox.texts()
    assert "To: admin@example.org" in first
    assert "To: ann@example.org" in second
    assert "has failed" in second
    assert ann.get(link(second)).status == 200


def test_the_sweep_removes_expired_results_and_erases_guests(
    shared: Site, mailbox: Mailbox
) -> None:
    browser = Browser(shared.address)
    browser.post("/accounts/apply", email="ann@example.org", password=PASSWORD)
    browser.post(link(mailbox.texts()[0]))
    browser.log_in("ann@example.org")
    page = browser.submit().url
    browser.post(page + "stop", at=page)
    shared.manage("sweep")
    assert people(shared) == "ann@example.org"
    assert "This page stays until" in browser.get(page).text
    shared.python(
        "import datetime\nfrom django.utils import timezone\n"
        "from weft.service.tasks.models import Task\n"
        "past = timezone.now() - datetime.timedelta(seconds=1)\n"
        "t = Task.objects.get(); t.folder.mkdir(parents=True); t.archive.write_bytes(b'x')\n"
        "Task.objects.update(expires_at=past)"
    )
    shared.manage("sweep")
    assert people(shared) == ""
    assert list((shared.state / "results").iterdir()) == []
    assert browser.get(page).status == 404


def test_results_go_with_an_account_that_is_deleted(shared: Site, mailbox: Mailbox) -> None:
    shared.python(
        "from weft.service.accounts.models import Person\n"
        f"Person.objects.create_superuser('root@example.org', {PASSWORD!r})"
    )
    shared.account("ann@example.org")
    ann = Browser(shared.address)
    ann.log_in("ann@example.org")
    ann.submit()
    shared.python(
        "from weft.service.tasks.models import Task\n"
        "t = Task.objects.get(); t.folder.mkdir(parents=True); t.archive.write_bytes(b'x')"
    )
    admin = Browser(shared.address)
    admin.log_in("root@example.org")
    number = shared.python(
        "from weft.service.accounts.models import Person\n"
        "print(Person.objects.get(email='ann@example.org').pk)"
    )
    gone = admin.post(f"/admin/accounts/person/{number}/delete/", post="yes")
    assert "was deleted successfully" in gone.text
    assert list((shared.state / "results").iterdir()) == []


def test_an_invited_person_chooses_a_password_once(shared: Site, mailbox: Mailbox) -> None:
    shared.python(
        "from weft.service.accounts.models import Person\n"
        f"Person.objects.create_superuser('root@example.org', {PASSWORD!r})"
    )
    admin = Browser(shared.address)
    admin.log_in("root@example.org")
    quotas = {"most_open_tasks": "3", "most_open_s": "600", "is_active": "on"}
    made = admin.post("/admin/accounts/person/add/", email="Ben@example.org", **quotas)
    assert "An invitation has gone to ben@example.org" in made.text
    ben = Browser(shared.address)
    assert "/accounts/log-in" in ben.log_in("ben@example.org", "!").url
    (text,) = mailbox.texts()
    assert "To: ben@example.org" in text
    page = link(text)
    assert "ben@example.org" in ben.get(page).text
    assert "too common" in ben.post(page, password="12345678").text
    assert ben.get(page + "x").status == 404
    assert "Your account is ready" in ben.post(page, password=PASSWORD).text
    assert "Your tasks" in ben.log_in("ben@example.org").text
    # The link does nothing more, and another one only after the next invitation.
    assert ben.get(page).status == 404
    assert ben.post(page, at="/", password="another-phrase-1").status == 404
    chosen = {
        "action": "invite_again",
        "_selected_action": number_of(shared, "ben@example.org"),
    }
    admin.post("/admin/accounts/person/", **chosen)
    assert Browser(shared.address).get(link(mailbox.texts()[-1])).status == 200


def number_of(site: Site, address: str) -> str:
    return site.python(
        "from weft.service.accounts.models import Person\n"
        f"print(Person.objects.get(email={address!r}).pk)"
    )
