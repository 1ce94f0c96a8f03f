"""A forgotten password, a changed one, and the end of an account, with real mail and workers."""

import re
import sqlite3
from contextlib import closing

import pytest

from tests.service.conftest import PASSWORD, Answered, Browser, Site, logged_in, wait_for
from tests.service.mailbox import Mailbox, link, mailbox, server, with_mails
from tests.service.test_access import MANY_MORE
from tests.service.test_every_state import packed
from tests.service.test_kills import LONG, journals, simulators
from tests.service.test_queue import Calls

__all__ = ["mailbox", "server", "with_mails"]
pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
ANN, OTHER = "ann@example.org", "another-phrase-1"


def forget(site: Site, address: str, caller: str = "") -> Answered:
    return Browser(site.address, caller).post("/accounts/forgotten", email=address)


def enters(browser: Browser) -> bool:
    return "Your tasks" in browser.get("/").text


def test_a_forgotten_password_is_chosen_anew_by_the_link_of_a_mail_once(
    shared: Site, mailbox: Mailbox
) -> None:
    before = logged_in(shared)
    assert "sent you a mail" in forget(shared, "Ann@example.org", "192.0.2.7").text
    (text,) = mailbox.texts()
    assert f"To: {ANN}" in text
    assert "192.0.2.7" in text
    # Who only asks changes nothing.
    assert enters(before)
    browser = Browser(shared.address)
    page = browser.get(link(text))
    assert ANN in page.text
    # Pages that the page links to never hear of the link.
    assert link(text).rpartition("/")[2] not in page.url
    assert "too common" in browser.post(page.url, password="12345678").text
    assert "Your password is changed" in browser.post(page.url, password=OTHER).text
    assert not enters(before)
    for password, opens in ((PASSWORD, False), (OTHER, True)):
        trying = Browser(shared.address)
        trying.log_in(ANN, password)
        assert enters(trying) == opens
    for used in (link(text), page.url):
        assert Browser(shared.address).get(used).status == 404
        assert browser.post(used, at="/accounts/log-in", password=PASSWORD).status == 404


def test_a_link_to_a_password_is_of_one_account_and_holds_for_a_day(
    shared: Site, mailbox: Mailbox
) -> None:
    for address in (ANN, "ben@example.org"):
        shared.account(address)
        forget(shared, address)
    for_ann, for_ben = (link(text).rsplit("/", 2)[1:] for text in mailbox.texts())
    browser = Browser(shared.address)
    for number, token in ((for_ben[0], for_ann[1]), (for_ann[0], for_ann[1][:-1] + "_")):
        assert browser.get(f"/accounts/reset/{number}/{token}").status == 404
    closed = "from weft.service.accounts.models import Person\nPerson.objects.update(is_active={})"
    shared.python(closed.format(False))
    assert browser.get("/accounts/reset/" + "/".join(for_ben)).status == 404
    shared.python(closed.format(True))
    late = (
        "import datetime\n"
        "from django.contrib.auth.tokens import PasswordResetTokenGenerator as Tokens\n"
        "from weft.service.accounts.models import Person\n"
        f"ann, now = Person.objects.get(email={ANN!r}), datetime.datetime.now()\n"
        "for hours in (23, 25):\n"
        "    tokens = Tokens()\n"
        "    tokens._now = lambda: now + datetime.timedelta(hours=hours)\n"
        f"    print(tokens.check_token(ann, {for_ann[1]!r}))"
    )
    assert shared.python(late) == "True\nFalse"


#: The functions that a request calls, for an address with an account and for one without.
CALLED = """
import cProfile, pstats
from django.test import Client
def called(address):
    profile = cProfile.Profile()
    profile.enable()
    answer = Client(HTTP_HOST="127.0.0.1").post("/accounts/forgotten", {"email": address})
    profile.disable()
    assert answer.status_code == 200, answer.content
    return {(file, name) for file, _, name in pstats.Stats(profile).stats}
called("warm@example.org")
known, fresh = called("ann@example.org"), called("ben@example.org")
print(*sorted(known ^ fresh), sep="\\n")
"""


def test_whether_an_address_has_an_account_changes_neither_the_answer_nor_its_work(
    shared: Site, mailbox: Mailbox
) -> None:
    shared.account(ANN)
    assert shared.python(CALLED) == ""
    known, fresh = forget(shared, ANN), forget(shared, "ben@example.org")
    assert known.text == fresh.text
    (for_ben, *_) = (text for text in mailbox.texts() if "To: ben@" in text)
    assert "No account" in for_ben
    assert "/reset/" not in for_ben


def test_nobody_sends_ever_more_mails_to_an_address(shared: Site, mailbox: Mailbox) -> None:
    shared.account(ANN)
    for spelled in (ANN, "Ann@\uff45xample.org", "ann@exam\u00adple.org"):
        assert forget(shared, spelled).status == 200
    refused = forget(shared, ANN)
    assert refused.status == 429
    assert int(refused.headers["retry-after"]) > 0
    # A mail is a mail: an application brings no more of them, and from elsewhere neither.
    asked = Browser(shared.address, "192.0.2.9").post("/accounts/apply", email=ANN)
    assert asked.status == 429
    assert len(mailbox.mails) == 3
    assert forget(shared, "ben@example.org").status == 200


def test_a_changed_password_asks_for_the_old_one_and_ends_other_sessions(
    shared: Site, mailbox: Mailbox
) -> None:
    ann, elsewhere = logged_in(shared), Browser(shared.address)
    elsewhere.log_in(ANN)
    page = "/accounts/own/password"
    assert page in ann.get("/accounts/own").text
    refused = ann.post(page, current="a-wrong-pass-phrase", password=OTHER)
    assert "This is not your password" in refused.text
    assert "too common" in ann.post(page, current=PASSWORD, password="12345678").text
    assert enters(elsewhere)
    changed = ann.post(page, current=PASSWORD, password=OTHER)
    assert "Your password is changed" in changed.text
    assert enters(ann)
    assert not enters(elsewhere)
    again = Browser(shared.address)
    again.log_in(ANN)
    assert not enters(again)
    again.log_in(ANN, OTHER)
    assert enters(again)


def test_whoever_finds_a_session_guesses_its_password_no_faster_than_at_the_log_in(
    shared: Site, mailbox: Mailbox
) -> None:
    ann = logged_in(shared)
    wrong = {"current": "a-wrong-pass-phrase", "password": OTHER}
    assert ann.post("/accounts/own/password", **wrong).status == 200
    shared.python(MANY_MORE.replace("KIND", "'log-in to'"))
    right = {**wrong, "current": PASSWORD}
    for path in ("/accounts/own/password", "/accounts/own/delete"):
        assert ann.post(path, **right).status == 429, path
    assert Browser(shared.address).log_in(ANN).status == 429
    assert enters(ann)


def rows(site: Site) -> str:
    """All that the database holds."""
    with closing(sqlite3.connect(site.database)) as database:
        return "\n".join(database.iterdump())


SEEDED = """
from weft.service.accounts.models import Person
from weft.service.tasks.models import Task
for task in Task.objects.all():
    task.folder.mkdir(parents=True)
    task.archive.write_bytes(b"x")
    task.report.write_text("a page")
"""


@pytest.fixture
def root(shared: Site) -> Browser:
    """An administrator."""
    shared.python(
        "from weft.service.accounts.models import Person\n"
        f"Person.objects.create_superuser('root@example.org', {PASSWORD!r})"
    )
    browser = Browser(shared.address)
    browser.log_in("root@example.org")
    return browser


def number(site: Site, address: str) -> str:
    return site.python(
        "from weft.service.accounts.models import Person\n"
        f"print(Person.objects.get(email={address!r}).pk)"
    )


@pytest.fixture
def full(shared: Site, mailbox: Mailbox, root: Browser) -> Browser:
    """Ann, of whom the server knows as much as of anybody; Ben has a task, too."""
    ann, ben = logged_in(shared), logged_in(shared, "ben@example.org")
    page = ann.submit(name="annals").url
    ann.post(page + "share", at=page, password="shared-secret")
    ben.submit(name="bens")
    shared.python(SEEDED)
    # A file that is chosen in a form, and not submitted.
    graph = {"topology.file.own": ("graph.csv", b"a,b\n")}
    own = {"mode.interconnect": "own", "check": "1"}
    ann.upload("/submit/form/rdma", graph, name="drafted", **own)
    assert any((shared.state / "drafts").rglob("*"))
    forget(shared, ANN)
    Browser(shared.address).log_in(ANN, "a-wrong-pass-phrase")
    # Administrators leave lines of what they do.
    invite = {"action": "invite_again", "_selected_action": number(shared, ANN)}
    root.post("/admin/accounts/person/", **invite)
    quotas = {"most_open_tasks": "9", "most_open_s": "900", "is_active": "on", "email": ANN}
    root.post(f"/admin/accounts/person/{number(shared, ANN)}/change/", **quotas)
    return ann


def of_ann(site: Site) -> list[str]:
    """What is left of her."""
    lines = [line for line in rows(site).splitlines() if ANN in line or "annals" in line]
    return lines + [str(each) for each in (site.state / "drafts").rglob("*")]


SESSIONS = """
from django.contrib.sessions.models import Session
print(*sorted(each.get_decoded().get("_auth_user_id", "") for each in Session.objects.all()))
"""


def test_an_account_is_deleted_with_all_in_it_and_what_is_others_stays(
    shared: Site, full: Browser
) -> None:
    page = re.findall(r'href="(/tasks/[^"]+)"', full.get("/").text)[0]
    reader, elsewhere = Browser(shared.address), Browser(shared.address)
    assert reader.post(page + "unlock", at=page, password="shared-secret").status == 200
    elsewhere.log_in(ANN)
    worker = Calls(shared, "one")
    task, lease = worker.claim()
    assert worker.call(f"tasks/{task}/accept", {"lease": lease})[0] == 204
    delete = "/accounts/own/delete"
    assert delete in full.get("/accounts/own").text
    assert "This is not your password" in full.post(delete, current="a-wrong-phrase").text
    assert full.get(page).status == reader.get(page).status == 200
    assert of_ann(shared)
    gone = full.post(delete, current=PASSWORD)
    assert "Your account is deleted" in gone.text
    assert of_ann(shared) == []
    assert "ben@example.org" in rows(shared)
    assert "bens" in rows(shared)
    assert len(list((shared.state / "results").iterdir())) == 1
    kept = sorted(number(shared, each) for each in ("root@example.org", "ben@example.org"))
    assert shared.python(SESSIONS).split() == kept
    for browser in (full, elsewhere, reader):
        assert browser.get(page).status == 404
        assert not enters(browser)
    # The worker hears that nobody wants it any more, and what it still sends is kept nowhere.
    assert worker.call(f"tasks/{task}/heartbeat", {"lease": lease, "points": 1})[0] == 410
    held = {"method": "PUT", "X_Weft_Lease": lease}
    assert worker.call(f"tasks/{task}/result/0", packed(), **held)[0] == 410
    assert len(list((shared.state / "results").iterdir())) == 1
    again = Browser(shared.address)
    again.log_in(ANN)
    assert not enters(again)


def test_an_account_that_an_administrator_deletes_leaves_no_more_behind(
    shared: Site, full: Browser, root: Browser
) -> None:
    path = f"/admin/accounts/person/{number(shared, ANN)}/delete/"
    assert "was deleted successfully" in root.post(path, post="yes").text
    assert of_ann(shared) == []


def test_a_task_that_runs_is_stopped_when_its_owner_goes(shared: Site, mailbox: Mailbox) -> None:
    ann = logged_in(shared)
    ann.submit(LONG)
    shared.start_worker()
    wait_for(lambda: any(path.stat().st_size for path in journals(shared.folder)))
    assert "is deleted" in ann.post("/accounts/own/delete", current=PASSWORD).text
    tasks = shared.folder / "one" / "tasks"
    wait_for(lambda: not simulators(tasks))
    wait_for(lambda: not any(tasks.iterdir()))
    # Nobody is left to get a mail.
    assert mailbox.mails == []


def test_the_last_administrator_does_not_leave_a_server_to_nobody(
    shared: Site, mailbox: Mailbox, root: Browser
) -> None:
    refused = root.post("/accounts/own/delete", at="/accounts/own", current=PASSWORD)
    assert refused.status == 409
    assert "only administrator" in refused.text
    shared.python(
        "from weft.service.accounts.models import Person\n"
        f"Person.objects.create_superuser('more@example.org', {PASSWORD!r})"
    )
    assert "is deleted" in root.post("/accounts/own/delete", current=PASSWORD).text
