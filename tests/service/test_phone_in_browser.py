"""The longest form on a narrow screen: folded, its buttons in reach, and help of its keys alone."""

import json
import re
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.service.conftest import Browser, Site
from tests.service.screen import Screen

pytestmark = [pytest.mark.slow, pytest.mark.long("service_in_browser")]
FORM = "/submit/form/rdma"
#: Where the buttons of the form are, against the height of the screen.
BELOW = """
const place = document.querySelector("button[name=submit]").getBoundingClientRect();
return [place.top >= 0, place.bottom <= innerHeight, document.documentElement.scrollHeight];
"""


@pytest.fixture
def phone(shared: Site, ann: Browser, browser: webdriver.Chrome, tmp_path: Path) -> Screen:
    """Ann's phone."""
    screen = Screen(browser, shared, tmp_path)
    screen.begin()
    screen.open("/help")
    for cookie in ann.cookie_jar:
        browser.add_cookie({"name": cookie.name, "value": cookie.value or "", "path": "/"})
    screen.width(390)
    return screen


@pytest.mark.parametrize("scripts", [True, False])
def test_the_form_is_folded_and_its_buttons_are_in_reach(phone: Screen, scripts: bool) -> None:
    turned = {"value": not scripts}
    phone.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", turned)
    try:
        phone.open(FORM)
        seen_at_top = phone.driver.execute_script(BELOW)
        assert seen_at_top[:2] == [True, True]
        assert seen_at_top[2] < 1500
        groups = phone.driver.find_elements(By.CSS_SELECTOR, "details.group > summary")
        assert len(groups) == 4
        for group in groups:
            phone.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", group)
            group.click()
        opened = phone.driver.execute_script(BELOW)
        assert opened[:2] == [True, True]
        assert opened[2] > 3000
        assert phone.find("workload.ranks").is_displayed()
    finally:
        phone.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_wide_screen_shows_all_groups(phone: Screen) -> None:
    phone.width(1280)
    phone.open(FORM)
    for name in ("workload.ranks", "topology.sizes", "timeout_s"):
        assert phone.find(name).is_displayed()


def test_a_group_with_a_mistake_or_another_value_is_open(ann: Browser) -> None:
    def opened(text: str) -> list[str]:
        return re.findall(r'<details class="group" open><summary><span class="name">(\w+)', text)

    page = ann.get(FORM).text
    assert opened(page) == []
    fields = dict(re.findall(r'<input id="[^"]+" name="([\w.]+)" value="([^"]*)"', page))
    sent = {**fields, "workload": "alltoall", "workload.ranks": "many", "timeout_s": "0"}
    answer = ann.post(FORM, **sent, check="1").text
    assert {"Program", "Limits"} <= set(opened(answer))


def test_the_help_of_a_form_speaks_of_its_own_keys_alone(shared: Site) -> None:
    told = shared.python(
        "import json\nfrom weft.service.forms.offered import offered_forms\n"
        "forms, _ = offered_forms()\n"
        "print(json.dumps({f.name: {e.key: e.help for e in f.fields()} for f in forms}))"
    )
    helps = json.loads(told)
    of_rdma = helps["rdma"]
    assert "placement" not in of_rdma["workload.ranks"]
    assert "Processes, one on each of the first nodes" in of_rdma["workload.ranks"]
    assert not re.search(r"\b(sources|include|flags|build)\b", of_rdma["workload.program"])
    # A key that the form has stays in the help of others, and so does the rest of a sentence.
    assert "instead of k and dimensions" in of_rdma["topology.sizes"]
    of_flow = helps["flow"]["network.hop_latency"]
    assert "latency is" not in of_flow
    assert of_flow.startswith("Added for every channel between two routers")
