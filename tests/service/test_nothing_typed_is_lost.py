"""Forms that are sent twice, or after the end of the session: one task, and nothing is lost."""

import html
import re
import urllib.parse
import urllib.request

import pytest

from tests.service.conftest import PASSWORD, SMALL, Answered, Browser, Site
from tests.service.test_form_pages import FLOW

pytestmark = [pytest.mark.slow, pytest.mark.long("service")]
COUNT = "from weft.service.tasks.models import Task\nprint(Task.objects.count())"
END = "from django.contrib.sessions.models import Session\nSession.objects.all().delete()"
FORM, YAML = "/submit/form/flow", "/submit/yaml"
OF_YAML = {"name": "typed", "yaml": SMALL, "timeout_s": "600"}
OF_FORM = {**FLOW, "name": "typed"}


def filled(page: Answered, **fields: str) -> dict[str, str]:
    """A form with its hidden fields, as a browser sends it."""
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text)
    return {**{name: html.unescape(value) for name, value in found}, **fields}


def send(browser: Browser, path: str, fields: dict[str, str]) -> Answered:
    """Send a page that was loaded before."""
    request = urllib.request.Request(
        browser.address + path, urllib.parse.urlencode(fields).encode()
    )
    request.add_header("Referer", browser.address + path)
    return browser._open(request)


@pytest.mark.parametrize(
    ("path", "fields"), [(FORM, {**OF_FORM, "submit": "1"}), (YAML, OF_YAML)], ids=["form", "YAML"]
)
def test_a_form_that_is_sent_twice_is_one_task(
    path: str, fields: dict[str, str], shared: Site, ann: Browser
) -> None:
    sent = filled(ann.get(path), **fields)
    first, second = send(ann, path, sent), send(ann, path, sent)
    assert "/tasks/" in first.url
    assert second.url == first.url
    assert shared.python(COUNT) == "1"
    # Going back and changing something makes another task, and so does a page that is loaded anew.
    assert send(ann, path, {**sent, "timeout_s": "601"}).url != first.url
    assert send(ann, path, filled(ann.get(path), **fields)).url != first.url
    assert shared.python(COUNT) == "3"


@pytest.mark.parametrize(
    ("path", "fields"), [(FORM, {**OF_FORM, "submit": "1"}), (YAML, OF_YAML)], ids=["form", "YAML"]
)
def test_what_was_typed_stays_if_the_session_has_ended(
    path: str, fields: dict[str, str], shared: Site, ann: Browser
) -> None:
    sent = filled(ann.get(path), **fields)
    shared.python(END)
    asked = send(ann, path, sent)
    assert "What you typed is kept" in asked.text
    wrong = {"username": "ann@example.org", "password": "a-wrong-pass-phrase"}
    again = send(ann, "/accounts/log-in", filled(asked, **wrong))
    assert "What you typed is kept" in again.text
    back = send(ann, "/accounts/log-in", filled(again, **{**wrong, "password": PASSWORD}))
    assert back.url == shared.address + path
    assert 'name="name" value="typed"' in back.text
    assert "Nothing was queued" in back.text
    assert shared.python(COUNT) == "0"
    # Once: the next form is empty again.
    assert 'name="name" value="typed"' not in ann.get(path).text


@pytest.mark.parametrize("path", [FORM, YAML])
def test_what_was_typed_stays_if_somebody_has_logged_in_again_in_another_tab(
    path: str, shared: Site, ann: Browser
) -> None:
    fields = OF_FORM if path == FORM else OF_YAML
    sent = filled(ann.get(path), **fields)
    ann.post("/accounts/log-out", at="/")
    ann.log_in("ann@example.org")
    back = send(ann, path, sent)
    assert back.url == shared.address + path
    assert 'name="name" value="typed"' in back.text
    assert shared.python(COUNT) == "0"
    assert "/tasks/" in send(ann, path, filled(back, **fields, submit="1")).url


def test_a_page_that_is_too_old_to_be_sent_says_what_to_do(shared: Site, ann: Browser) -> None:
    page = ann.submit().url
    sent = filled(ann.get(page))
    ann.post("/accounts/log-out", at="/")
    ann.log_in("ann@example.org")
    answer = send(ann, page.removeprefix(shared.address) + "stop", sent)
    assert answer.status == 403
    assert "Load it again" in answer.text
    assert shared.task() == "queued"


def test_the_outcome_of_a_form_is_not_in_the_address(ann: Browser) -> None:
    assert "#" not in re.findall(r'<form [^>]*action="([^"]*)"', ann.get(FORM).text)[-1]
    assert re.search(r'id="outcome"[^>]* autofocus', ann.post(FORM, **OF_FORM, check="1").text)
