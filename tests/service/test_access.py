"""Who sees what: every address has a rule, and a foreign page is like none."""

import re

import pytest

from tests.service.conftest import PASSWORD, Browser, Site

ROUTES = """
from django.urls import get_resolver
def walk(patterns, prefix=""):
    for each in patterns:
        if hasattr(each, "url_patterns"):
            yield from walk(each.url_patterns, prefix + str(each.pattern))
        else:
            yield prefix + str(each.pattern), each.callback
for route, view in walk(get_resolver().url_patterns):
    if not route.startswith("admin/"):
        print(route, getattr(view, "access_rule", "NONE"), sep="|")
"""


EMPTY = ("/submit/yaml", "/submit/form/flow")


def routes(site: Site) -> dict[str, str]:
    lines = site.python(ROUTES).splitlines()
    return dict(line.split("|") for line in lines)


@pytest.mark.slow
def test_every_address_has_a_rule_and_keeps_it(shared: Site, ann: Browser) -> None:
    found = routes(shared)
    assert len(found) > 15
    assert "NONE" not in found.values()
    page = ann.submit().url
    shared.account("ben@example.org")
    nobody, ben = Browser(shared.address), Browser(shared.address)
    assert ben.log_in("ben@example.org").status == 200
    name = page.rstrip("/").rpartition("/")[2]
    for route, rule in found.items():
        path = "/" + route.replace("<str:name>", name).replace("<str:digest>", "0" * 64)
        path = path.replace("<int:offset>", "0").replace("<str:token>", "x")
        path = path.replace("<str:template>", "flow")
        path = path.replace("<path:path>", "figures/figure-1.csv")
        if rule == "worker":
            for browser in (nobody, ben, ann):
                assert browser.get(path).status in (401, 405), route
        elif rule == "signed in":
            assert "/accounts/log-in" in nobody.get(path).url, route
        elif rule in ("owner", "task"):
            assert nobody.get(path).status == 404, route
            assert ben.get(path).status == 404, route
            assert ann.get(path).status in (200, 404, 405), route
        if rule != "everybody":
            # Nothing stays for who comes to the same browser; of an empty form there is nothing.
            kept = "private, no-cache" if path in EMPTY else "no-store"
            assert ann.get(path).headers["cache-control"] == kept, route


@pytest.mark.slow
def test_head_gets_the_answer_of_get_without_its_body(
    server: Site, shared: Site, ann: Browser
) -> None:
    page = ann.submit().url
    paths = ["/", "/submit/", "/submit/yaml", "/submit/form/packet", page, "/tasks/none/"]
    paths += [page + each for each in ("progress", "report", "archive.zip", "experiment.yaml")]
    for path in paths:
        asked, answer = ann.get(path), ann.head(path)
        assert answer.content == b""
        kind = "content-type"
        assert (answer.status, answer.headers[kind]) == (asked.status, asked.headers[kind]), path
    assert "no-body response" not in (server.folder / "server.log").read_text()


@pytest.mark.slow
def test_a_foreign_name_and_a_wrong_one_get_the_same_answer(shared: Site, ann: Browser) -> None:
    page = ann.submit().url
    wrong = page[:-9] + "AAAAAAAA/"
    stranger = Browser(shared.address)
    foreign, none = stranger.get(page), stranger.get(wrong)
    assert foreign.status == none.status == 404

    def plain(url: str, text: str) -> str:
        name = url.rstrip("/").rpartition("/")[2]
        return re.sub(r'value="\w{64}"', "", text.replace(name, "NAME"))

    assert plain(page, foreign.text) == plain(wrong, none.text)


@pytest.mark.slow
def test_whoever_logs_in_from_the_page_of_a_task_comes_back_to_it(
    shared: Site, ann: Browser
) -> None:
    page = ann.submit().url
    ann.post("/accounts/log-out", at="/")
    found = re.search(r'href="(/accounts/log-in\?next=[^"]+)"', ann.get(page).text)
    assert found is not None
    back = ann.post(found[1], username="ann@example.org", password=PASSWORD)
    assert back.url == page


@pytest.mark.slow
def test_link_and_password_show_a_shared_page_and_neither_alone_does(
    shared: Site, ann: Browser
) -> None:
    page = ann.submit().url
    reader = Browser(shared.address)
    unlock = page + "unlock"
    assert reader.post(unlock, at=page, password="shared-secret").status == 404
    assert ann.post(page + "share", at=page, password="shared-secret").status == 200
    assert reader.post(unlock, at=page, password="other-secret").status == 404
    assert reader.post(unlock, at=page, password="shared-secret").status == 200
    assert "Small" in reader.get(page).text
    assert "Cancel" not in reader.get(page).text
    # A new password, or none, shuts out whoever had the earlier one.
    ann.post(page + "share", at=page, password="")
    assert reader.get(page).status == 404


#: Further attempts like each of those that there were, of a moment that is still to come.
MANY_MORE = """
import datetime
from django.utils import timezone
from weft.service.accounts.models import Attempt
soon = timezone.now() + datetime.timedelta(minutes=5)
for each in list(Attempt.objects.filter(kind=KIND)):
    Attempt.objects.bulk_create(Attempt(kind=KIND, key=each.key, at=soon) for _ in range(30))
"""
SPELLINGS = (" ann@example.org", "ann@example.org\u00a0", "\uff41\uff4e\uff4e@example.org",
             "ANN@example.org", "\u3000Ann@EXAMPLE.org\u2003")  # fmt: skip


@pytest.mark.slow
def test_whoever_guesses_passwords_waits_however_the_account_is_spelled_and_nobody_else_does(
    shared: Site,
) -> None:
    shared.account("ann@example.org")
    guessing = Browser(shared.address, "2001:db8:1:2::1")
    for name in SPELLINGS:
        assert guessing.log_in(name, "wrong-pass-phrase").status == 200
    shared.python(MANY_MORE.replace("KIND", "'log-in to'"))
    for name in SPELLINGS:
        # From another address of the same network, too.
        answer = Browser(shared.address, "2001:db8:1:2::ffff").log_in(name)
        assert answer.status == 429
        assert re.search(r"Wait (\d+) s", answer.text), answer.text
        assert 0 < int(answer.headers["retry-after"]) <= 900
    # A pause that is refused makes the next one no longer, and is nobody else's.
    assert guessing.log_in("ben@example.org").status == 200
    assert "Your tasks" in Browser(shared.address, "2001:db8:1:3::1").log_in(SPELLINGS[2]).text


@pytest.mark.slow
def test_whoever_guesses_the_password_of_a_shared_page_keeps_no_reader_out(
    shared: Site, ann: Browser
) -> None:
    page = ann.submit().url
    ann.post(page + "share", at=page, password="shared-secret")
    guessing, reader = (Browser(shared.address, f"192.0.2.{n}") for n in (1, 2))
    assert guessing.post(page + "unlock", at=page, password="a-guess-of-many").status == 404
    shared.python(MANY_MORE.replace("KIND", "'unlock'"))
    assert guessing.post(page + "unlock", at=page, password="shared-secret").status == 429
    assert reader.post(page + "unlock", at=page, password="shared-secret").status == 200


@pytest.mark.slow
def test_pages_bring_a_policy_and_load_nothing_from_elsewhere(shared: Site, ann: Browser) -> None:
    page = ann.get("/")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "http" not in page.text.replace("http-equiv", "").replace(shared.address, "")
    assert ann.get("/static/django_htmx/htmx-2.min.js").status in (200, 404)


def test_nobody_tries_passwords_of_ever_new_pages(shared: Site) -> None:
    # Each attempt takes the time of a digest, whether the page is there or not.
    shared.python(
        "import datetime\nfrom django.utils import timezone\n"
        "from weft.service.accounts.models import Attempt\n"
        "Attempt.objects.bulk_create(Attempt(kind='unlock from', key='127.0.0.1', "
        "at=timezone.now() + datetime.timedelta(minutes=5)) for _ in range(60))"
    )
    stranger = Browser(shared.address)
    answer = stranger.post("/tasks/no-such-name/unlock", at="/tasks/no-such-name/", password="x")
    assert answer.status == 429
    assert "Too many attempts" in answer.text


def test_administrators_log_in_where_attempts_are_limited(shared: Site, ann: Browser) -> None:
    nobody = Browser(shared.address)
    assert nobody.get("/admin/").url.endswith("/accounts/log-in?next=/admin/")
    assert nobody.post("/admin/login/", username="ann@example.org", password=PASSWORD).url.endswith(
        "/accounts/log-in?next=/admin/"
    )
    for path in ("/admin/", "/admin/login/"):
        answer = ann.get(path)
        assert answer.status == 403
        assert "for administrators" in answer.text
    shared.python(
        "from weft.service.accounts.models import Person\n"
        f"Person.objects.create_superuser('root@example.org', {PASSWORD!r})"
    )
    fields = {"next": "/admin/", "username": "root@example.org", "password": PASSWORD}
    assert "Site administration" in nobody.post("/accounts/log-in", **fields).text
    assert nobody.get("/admin/login/").url.endswith("/admin/")
