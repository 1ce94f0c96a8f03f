"""Whoever brings own files fills the four groups in a browser; an administrator drains a worker."""

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.service.conftest import PASSWORD, Site
from tests.service.screen import Screen

pytestmark = [pytest.mark.slow, pytest.mark.long("service_in_browser")]
FILES = {
    "workload.file": ("mine.csv", "src,dst,bytes\n0,1,80\n1,0,80\n"),
    "topology.file": ("links.csv", "from,to\ns0,n0\ns0,n1\n"),
    "figures": ("figures.yaml", "- table: {x: message_bytes, y: makespan_s}\n"),
    "engine.flow": ("flow.yaml", "model: max_min\n"),
}
GROUPS = ("program", "interconnect", "output", "limits")


@pytest.fixture
def screen(browser: webdriver.Chrome, shared: Site, tmp_path: Path) -> Screen:
    code = "from weft.service.accounts.models import Person\n"
    shared.python(code + f"Person.objects.create_superuser('ann@example.org', {PASSWORD!r})")
    found = Screen(browser, shared, tmp_path)
    found.begin()
    found.log_in("ann@example.org")
    return found


def clean(screen: Screen) -> None:
    assert "\n".join([*screen.wide, *screen.console, *screen.violations]) == ""


def test_each_group_of_a_form_takes_own_files(screen: Screen, tmp_path: Path) -> None:
    screen.open("/submit/form/flow")
    screen.fill("name", "own")
    assert not screen.find("network.own").is_displayed()
    for group in GROUPS:
        choice = f"input[name='mode.{group}'][value='own']"
        screen.driver.find_element(By.CSS_SELECTOR, choice).click()
    (tmp_path / "wrong.yaml").write_text("bandwidth: 4 GB/s\nlatenc: 1 us\n")
    screen.find("network.own").send_keys(str(tmp_path / "wrong.yaml"))
    for key, (name, text) in FILES.items():
        (tmp_path / name).write_text(text)
        screen.find(f"{key}.own").send_keys(str(tmp_path / name))
    screen.press("Check and show the plan")
    said = screen.driver.find_elements(By.CSS_SELECTOR, "main form [role='alert']")
    assert [each.text for each in said if "did you mean 'latency'" in each.text]
    assert len(said) == 1
    screen.look("own files with a mistake")
    # Only the wrong file is chosen anew: the others are still there.
    (tmp_path / "right.yaml").write_text("bandwidth: 4 GB/s\nlatency: 1 us\n")
    screen.find("network.own").send_keys(str(tmp_path / "right.yaml"))
    screen.press("Check and show the plan")
    assert "It can run: 1 point" in screen.shown()
    screen.look("plan with own files")
    screen.press("Submit")
    assert screen.state() == "waits in the queue"
    assert "1: it is the next" in screen.shown()
    screen.follow("Run again, changed")
    assert "take right.yaml" in screen.shown()
    assert str(screen.find("name").get_attribute("value")) == "own"
    screen.look("again")
    clean(screen)


def test_fields_of_another_topology_are_not_there(screen: Screen) -> None:
    screen.open("/submit/form/rdma")
    assert screen.find("topology.sizes").is_displayed()
    screen.choose("topology", "hypercube")
    assert not screen.find("topology.sizes").is_displayed()
    assert screen.find("topology.dimensions").is_displayed()
    screen.fill("topology.dimensions", "4")
    screen.press("Check and show the plan")
    assert "It can run: 1 point" in screen.shown()
    assert not screen.find("topology.sizes").is_displayed()
    clean(screen)


def test_an_administrator_reads_what_workers_do_and_drains_one(screen: Screen) -> None:
    screen.site.token("cluster-1")
    screen.open("/admin/queue/worker/")
    assert "has never asked" in screen.driver.page_source
    screen.look("workers")
    screen.driver.find_element(By.NAME, "_selected_action").click()
    screen.driver.find_element(
        By.CSS_SELECTOR, "select[name='action'] option[value='drain']"
    ).click()
    screen.press("Go")
    drained = "from weft.service.queue.models import Worker\nprint(Worker.objects.get().draining)"
    assert screen.site.python(drained) == "True"
    for page in ("", "queue/queue/", "queue/worker/add/", "accounts/person/",
                 "accounts/person/1/change/", "tasks/task/"):  # fmt: skip
        screen.open(f"/admin/{page}")
        screen.look(f"admin {page}")
    clean(screen)
