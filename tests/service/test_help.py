"""The page that explains the others, and the way to it from each of them."""

import re

import pytest

from tests.service.conftest import Browser, Site
from tests.service.test_access import routes

LINK = 'href="/help"'


@pytest.mark.slow
def test_every_page_leads_to_the_help(shared: Site, ann: Browser) -> None:
    page = ann.submit().url
    name = page.rstrip("/").rpartition("/")[2]
    shared.python(
        "from weft.service.accounts.models import Person\n"
        "Person.objects.update(is_staff=True, is_superuser=True)"
    )
    nobody = Browser(shared.address)
    paths = ["/" + each.replace("<str:name>", name) for each in routes(shared)]
    paths = [each.replace("<str:template>", "rdma").replace("<str:token>", "x") for each in paths]
    paths += ["/admin/", "/admin/accounts/person/", "/no/such/page", "/submit/form/none"]
    seen = set()
    for path in paths:
        for browser in (ann, nobody):
            answer = browser.get(path)
            # The progress of a task is a part of its page.
            if "<html" in answer.text:
                assert LINK in answer.text, path
                seen.add(path)
    assert len(seen) > 15
    # A page from before the last log-in is refused without a look at its session.
    assert LINK in ann.post("/accounts/own/password", at="/static/pages/style.css").text


@pytest.mark.slow
def test_the_help_explains_each_state_and_the_limits_of_this_server(
    shared: Site, ann: Browser
) -> None:
    told = shared.python(
        "from django.conf import settings\nfrom weft.service.tasks.models import State\n"
        "print(*State.labels, sep='|')\n"
        "print(f'{settings.UPLOAD_BYTES:,}', settings.UPLOAD_FILES, f'{settings.RESULT_BYTES:,}')"
    )
    labels, limits = told.splitlines()
    text = ann.get("/help").text
    for label in labels.split("|"):
        assert re.search(rf">{re.escape(label)}</dt><dd>\w", text), label
    for limit in (*limits.split(), "for 3 days", "1 h at most", "at most 20, with time-outs of"):
        assert limit in text, limit
    for place in re.findall(r'href="#(\w+)"', text):
        assert f'id="{place}"' in text
    # Whoever has no account yet reads it, too, and of nobody's quota.
    foreign = Browser(shared.address).get("/help")
    assert foreign.status == 200
    assert "Your open tasks" not in foreign.text
