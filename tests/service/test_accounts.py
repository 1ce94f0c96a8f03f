"""Applications and invitations with real mail, over SMTP on the loopback."""

import base64

import pytest

from tests.service.conftest import PASSWORD, Answered, Browser, Site
from tests.service.mailbox import Mailbox, link, mailbox, server, with_mails

__all__ = ["mailbox", "server", "with_mails"]
pytestmark = [pytest.mark.slow, pytest.mark.long("service")]


def people(site: Site) -> str:
    return site.python(
        "from weft.service.accounts.models import Person\n"
        "print(*Person.objects.values_list('email', flat=True))"
    )


def apply(site: Site, address: str, **more: str) -> Answered:
    return Browser(site.address).post("/accounts/apply", email=address, **more)


def test_an_application_becomes_an_account_by_the_link_of_its_mail(
    shared: Site, mailbox: Mailbox
) -> None:
    browser = Browser(shared.address, "192.0.2.7")
    answer = browser.post("/accounts/apply", email="Ann@example.org")
    assert "sent you a mail" in answer.text
    assert people(shared) == ""
    assert "/accounts/log-in" in browser.log_in("ann@example.org").url
    (text,) = mailbox.texts()
    assert "To: ann@example.org" in text
    # It says who asked.
    assert "192.0.2.7" in text
    # Looking at the link, as programs that check mails do, makes no account.
    assert "ann@example.org" in browser.get(link(text)).text
    assert "too common" in browser.post(link(text), password="12345678").text
    assert people(shared) == ""
    assert "Your account is ready" in browser.post(link(text), password=PASSWORD).text
    assert people(shared) == "ann@example.org"
    assert "Your tasks" in browser.log_in("ann@example.org").text
    stored = shared.python(
        "from weft.service.accounts.models import Person\nprint(Person.objects.get().password)"
    )
    assert stored.startswith("argon2$argon2id$")
    # Once: the link is no way to another password.
    again = browser.post(link(text), at="/", password="another-phrase-1")
    assert again.status == 404
    assert (
        "/accounts/log-in"
        in Browser(shared.address).log_in("ann@example.org", "another-phrase-1").url
    )


def test_who_applies_with_an_address_of_somebody_else_knows_no_password(
    shared: Site, mailbox: Mailbox
) -> None:
    apply(shared, "ann@example.org", password="of-the-attacker")
    (text,) = mailbox.texts()
    # The owner of the address wants an account, and follows the link.
    Browser(shared.address).post(link(text), password=PASSWORD)
    attacker, ann = (Browser(shared.address) for _ in range(2))
    assert "/accounts/log-in" in attacker.log_in("ann@example.org", "of-the-attacker").url
    assert "Your tasks" in ann.log_in("ann@example.org").text


#: The functions that an application calls, for an address with an account and for one without.
CALLED = """
import cProfile, pstats
from django.test import Client
def called(address):
    profile = cProfile.Profile()
    profile.enable()
    answer = Client(HTTP_HOST="127.0.0.1").post("/accounts/apply", {"email": address})
    profile.disable()
    assert answer.status_code == 200, answer.content
    return {(file, name) for file, _, name in pstats.Stats(profile).stats}
called("warm@example.org")
known, fresh = called("ann@example.org"), called("ben@example.org")
print(*sorted(known ^ fresh), sep="\\n")
"""


def test_an_address_with_an_account_gets_the_same_answer_for_the_same_work(
    shared: Site, mailbox: Mailbox
) -> None:
    shared.account("ann@example.org")
    assert shared.python(CALLED) == ""
    known = apply(shared, "ann@example.org", password="another-phrase-1")
    fresh = apply(shared, "ben@example.org", password="another-phrase-1")
    assert known.text == fresh.text
    of_ann = [text for text in mailbox.texts() if "To: ann@" in text]
    assert "has an account already" in of_ann[0]
    assert "/confirm/" not in of_ann[0]


def test_an_address_is_one_however_its_letters_are_written(shared: Site, mailbox: Mailbox) -> None:
    wide, plain = "Ann@\uff45xample.org", "ann@example.org"
    for written in (wide, "ann@exam\u00adple.org"):
        assert "sent you a mail" in apply(shared, written).text
    assert "sent you a mail" in apply(shared, plain).text
    # A mail goes to the same person each time, so these were three for one address.
    assert apply(shared, wide).status == 429
    browser = Browser(shared.address)
    browser.post(link(mailbox.texts()[0]), password=PASSWORD)
    assert people(shared) == plain
    assert "Your tasks" in browser.log_in(wide).text


def test_an_invitation_to_somebody_with_an_account_is_refused(
    shared: Site, mailbox: Mailbox
) -> None:
    shared.account("ann@example.org")
    shared.python(
        "from weft.service.accounts.models import Person\n"
        f"Person.objects.create_superuser('root@example.org', {PASSWORD!r})"
    )
    root = Browser(shared.address)
    root.log_in("root@example.org")
    add = "/admin/accounts/person/add/"
    quotas = {"most_open_tasks": "20", "most_open_s": "100"}
    for spelled in ("Ann@Example.org", "ann@\uff45xample.org"):
        answer = root.post(add, email=spelled, **quotas)
        assert "already exists" in answer.text
    assert mailbox.mails == []


def test_a_bad_application_sends_nothing(shared: Site, mailbox: Mailbox) -> None:
    answer = apply(shared, "x@example.org\nBcc: y@example.org")
    assert answer.status == 200
    assert "valid email address" in answer.text
    assert mailbox.mails == []


def test_a_forged_link_makes_no_account(shared: Site, mailbox: Mailbox) -> None:
    apply(shared, "ann@example.org")
    browser = Browser(shared.address)
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
    apply(shared, "ann@example.org")
    browser.post(link(mailbox.texts()[0]), password=PASSWORD)
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
    page = link(mailbox.texts()[-1])
    assert Browser(shared.address).get(page).status == 200
    # Whoever reads the link learns nothing of the password.
    told = page.rpartition("/")[2].partition(":")[0]
    stored = shared.python(
        "from weft.service.accounts.models import Person\n"
        "print(Person.objects.get(email='ben@example.org').password)"
    )
    assert stored[-20:] not in base64.urlsafe_b64decode(told + "===").decode()


def number_of(site: Site, address: str) -> str:
    return site.python(
        "from weft.service.accounts.models import Person\n"
        f"print(Person.objects.get(email={address!r}).pk)"
    )
