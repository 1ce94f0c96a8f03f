"""Whoever has only a keyboard logs in, fills a form and submits it."""

from pathlib import Path

import pytest
from selenium import webdriver

from tests.service.conftest import PASSWORD, Site
from tests.service.screen import Screen

pytestmark = [pytest.mark.slow, pytest.mark.long("service_in_browser")]


def test_keys_alone_log_in_and_submit_a_task(
    browser: webdriver.Chrome, site: Site, tmp_path: Path
) -> None:
    site.account("ann@example.org")
    site.start_server()
    screen = Screen(browser, site, tmp_path)
    screen.begin()
    screen.open("/accounts/log-in")
    screen.tab_to("at.id === 'id_username'")
    screen.keys("ann@example.org")
    screen.tab_to("at.id === 'id_password'")
    screen.keys(PASSWORD)
    screen.enter()
    assert "Your tasks" in screen.shown()
    screen.tab_to("at.textContent === 'New task'")
    screen.enter()
    screen.tab_to("at.textContent === 'Messages as flows'")
    screen.enter()
    screen.tab_to("at.id === 'name'")
    screen.keys("by_keys")
    screen.tab_to("at.textContent === 'Submit'")
    screen.enter()
    assert "waits in the queue" in screen.shown()
    screen.tab_to("at.textContent === 'Cancel'")
    screen.enter()
    assert "was cancelled" in screen.shown()
    assert site.task("experiment").endswith("by_keys")
