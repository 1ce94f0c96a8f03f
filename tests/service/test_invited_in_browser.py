"""An administrator invites somebody in a browser, who comes by the link of the mail."""

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.service.conftest import PASSWORD, Site, wait_for
from tests.service.mailbox import Mailbox, link, mailbox, server, with_mails
from tests.service.screen import Screen, gone

__all__ = ["mailbox", "server", "with_mails"]
pytestmark = [pytest.mark.slow, pytest.mark.long("service_in_browser")]


def test_an_invitation_leads_from_the_admin_pages_to_ones_tasks(
    browser: webdriver.Chrome, shared: Site, mailbox: Mailbox, tmp_path: Path
) -> None:
    code = "from weft.service.accounts.models import Person\n"
    shared.python(code + f"Person.objects.create_superuser('root@example.org', {PASSWORD!r})")
    screen = Screen(browser, shared, tmp_path)
    screen.begin()
    screen.log_in("root@example.org")
    screen.open("/admin/accounts/person/add/")
    screen.look("invite")
    screen.fill("id_email", "Ben@example.org")
    page = browser.find_element(By.TAG_NAME, "html")
    browser.find_element(By.NAME, "_save").click()
    wait_for(lambda: gone(page))
    assert "An invitation has gone to ben@example.org" in browser.page_source

    # Somebody else, at another browser.
    browser.delete_all_cookies()
    (text,) = mailbox.texts()
    screen.open(link(text))
    assert "ben@example.org" in screen.shown()
    screen.look("invited")
    screen.fill("id_password", "12345678")
    screen.press("Make it my password", "main")
    assert "too common" in screen.shown()
    screen.look("invited refused")
    screen.fill("id_password", PASSWORD)
    screen.press("Make it my password", "main")
    screen.log_in("ben@example.org")
    assert "Your tasks" in screen.shown()
    screen.open(link(text))
    screen.look("used", "404 (Not Found)")
    assert "\n".join([*screen.wide, *screen.console, *screen.violations]) == ""
