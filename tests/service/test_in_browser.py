"""A person with nothing but a browser: from the application to the result, on a real server with a
real worker. One walk over all pages; each test asks for one thing of it."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.service.conftest import PASSWORD, SMALL, Site, wait_for
from tests.service.screen import Screen
from tests.service.test_kills import kill, overdue

pytestmark = pytest.mark.slow
#: Takes minutes to simulate: somebody can look at it, and stop it.
LONG = SMALL.replace("[4, 5]", str(list(range(60, 90)))) + "replicates: 40\n"
#: As long, and without a point of the other.
LOST = LONG + "workload: {per_node: 11}\n"
ADDRESS = "ann@example.org"
#: What a browser writes about an answer that is right to be no success.
NOT_FOUND = "404 (Not Found)"


class Walk:
    """What a person does in order, and what there was to see."""

    def __init__(self, screen: Screen) -> None:
        self.screen, self.site = screen, screen.site
        self.seen: dict[str, str] = {}
        #: Whether points were counted without the page being loaded anew.
        self.stayed = False
        self.charts: dict[str, int] = {}
        self.archive = Path()

    def apply(self) -> None:
        screen = self.screen
        screen.open("/accounts/log-in")
        screen.look("log in")
        screen.fill("id_username", ADDRESS)
        screen.fill("id_password", "a-wrong-pass-phrase")
        screen.press("Log in", "main")
        screen.look("log in refused")
        screen.open("/accounts/apply")
        screen.look("apply")
        screen.fill("id_email", ADDRESS)
        screen.fill("id_password", "12345678")
        screen.press("Send me the mail")
        self.seen["application refused"] = screen.shown()
        screen.look("apply refused")
        screen.fill("id_email", ADDRESS)
        screen.fill("id_password", PASSWORD)
        screen.press("Send me the mail")
        screen.look("mail sent")
        log = self.site.folder / "server.log"
        wait_for(lambda: "/accounts/confirm/" in log.read_text())
        found = re.search(r"http://\S+/accounts/confirm/\S+", log.read_text())
        assert found
        screen.open(found[0])
        screen.look("confirm")
        screen.press("Make the account")
        screen.log_in(ADDRESS)
        screen.look("no tasks")

    def mend_and_submit(self) -> None:
        """A form with a mistake, mended, checked and submitted; nobody works yet."""
        screen = self.screen
        screen.follow("New task")
        screen.look("templates")
        for link in self.forms():
            screen.open(link)
            screen.look(f"form {link.rpartition('/')[2]}")
        screen.open("/submit/")
        screen.follow("Messages as flows")
        screen.fill("name", "small")
        screen.fill("workload.message_size", "1 KB?")
        screen.fill("topology.k", "5")
        screen.press("Submit")
        self.seen["beside the field"] = screen.driver.find_element(
            By.XPATH, "//div[input[@id='workload.message_size']]//*[@role='alert']"
        ).text
        self.seen["kept"] = str(screen.find("topology.k").get_attribute("value"))
        screen.look("form with a mistake")
        screen.fill("workload.message_size", "2 KiB")
        screen.press("Check and show the plan")
        screen.driver.find_element(By.XPATH, "//summary[contains(., 'experiment file')]").click()
        self.seen["plan"] = screen.shown()
        screen.look("form with its plan")
        screen.press("Submit")
        self.seen["queued"] = screen.state()
        screen.look("queued")

    def forms(self) -> list[str]:
        found = self.screen.driver.find_elements(By.CSS_SELECTOR, "main a[href*='/submit/form/']")
        return [str(each.get_attribute("href")) for each in found]

    def cancel(self) -> None:
        self.submit(SMALL, "unwanted")
        self.screen.press("Cancel")
        self.seen["cancelled"] = self.screen.state()
        self.screen.look("cancelled")

    def submit(self, text: str, name: str) -> None:
        screen = self.screen
        screen.open("/submit/yaml")
        screen.fill("name", name)
        screen.driver.execute_script("arguments[0].value = arguments[1]", screen.find("yaml"), text)
        screen.press("Submit", "main")

    def wrong_yaml(self) -> None:
        screen = self.screen
        screen.open("/submit/yaml")
        screen.look("YAML")
        self.submit(SMALL.replace("[flow]", "[flo]"), "wrong")
        self.seen["wrong YAML"] = screen.shown()
        screen.look("YAML refused")

    def watch(self) -> None:
        """The page of the small task, until it is done; nobody loads it anew."""
        screen = self.screen
        screen.open("/")
        screen.follow("Messages as flows")
        self.worker = self.site.start_worker()
        wait_for(lambda: "Archive (" in screen.shown())
        self.seen["done"] = screen.shown()
        screen.look("done")

    def take(self) -> None:
        screen = self.screen
        page = screen.driver.current_url
        screen.driver.find_element(By.PARTIAL_LINK_TEXT, "Archive (").click()
        self.archive = screen.downloads / "small.zip"
        wait_for(self.archive.is_file)
        screen.follow("Report")
        drawn = "return document.documentElement.dataset.drawn !== undefined"
        wait_for(lambda: screen.driver.execute_script(drawn))
        for chart in screen.driver.find_elements(By.CSS_SELECTOR, ".chart"):
            marks = chart.find_elements(By.CSS_SELECTOR, "svg .role-mark path")
            self.charts[str(chart.get_attribute("id"))] = len(marks)
        screen.look("report")
        screen.open(page)

    def stop(self) -> None:
        screen = self.screen
        self.submit(LONG, "long")
        wait_for(lambda: screen.state() == "runs")
        screen.driver.execute_script("window.weftMark = 1")
        wait_for(lambda: self.value() > 0)
        self.stayed = bool(screen.driver.execute_script("return window.weftMark === 1"))
        self.seen["running"] = screen.state()
        screen.look("running")
        screen.press("Stop")
        wait_for(lambda: screen.state() == "was stopped" and "Archive (" in screen.shown())
        self.seen["stopped"] = screen.shown()
        screen.look("stopped")

    def fail(self) -> None:
        """Its worker dies, and nobody wants the task any more."""
        screen = self.screen
        self.submit(LOST, "lost")
        wait_for(lambda: screen.state() == "runs")
        kill(self.worker)
        screen.press("Stop")
        screen.look("being stopped")
        overdue(self.site)
        self.site.manage("sweep")
        wait_for(lambda: screen.state() == "has failed")
        self.seen["failed"] = screen.shown()
        screen.look("failed")

    def value(self) -> int:
        script = "return document.querySelector('#progress progress')?.value ?? 0"
        return int(self.screen.driver.execute_script(script))

    def expire(self) -> None:
        """Three days later."""
        screen = self.screen
        page = screen.driver.current_url
        self.site.python(
            "import datetime\nfrom django.utils import timezone\n"
            "from weft.service.tasks.models import Task\n"
            "task = Task.objects.order_by('pk').last()\n"
            "task.expires_at = timezone.now() - datetime.timedelta(seconds=1)\ntask.save()"
        )
        screen.open(page)
        self.seen["expired"] = screen.shown()
        screen.look("expired")
        self.site.manage("sweep")
        screen.open(page)
        self.seen["gone"] = screen.shown()
        screen.look("gone", NOT_FOUND)
        screen.open("/")
        screen.look("tasks")


@pytest.fixture(scope="module")
def walk(browser: webdriver.Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    site = Site(tmp_path_factory.mktemp("site"))
    site.manage("migrate", "--verbosity", "0")
    try:
        site.start_server()
        screen = Screen(browser, site, tmp_path_factory.mktemp("downloads"))
        screen.begin()
        found = Walk(screen)
        found.apply()
        found.mend_and_submit()
        found.cancel()
        found.wrong_yaml()
        found.watch()
        found.take()
        found.stop()
        found.fail()
        found.expire()
        yield found
    finally:
        site.end()


def test_a_mistake_stands_beside_its_field_and_what_was_written_stays(walk: Walk) -> None:
    assert "like '2 KiB'" in walk.seen["beside the field"]
    assert walk.seen["kept"] == "5"


def test_a_form_shows_its_plan_before_it_is_submitted(walk: Walk) -> None:
    assert "1 point." in walk.seen["plan"]
    assert "message_size: 2 KiB" in walk.seen["plan"]


def test_a_task_that_waits_is_cancelled(walk: Walk) -> None:
    assert walk.seen["queued"] == "waits in the queue"
    assert walk.seen["cancelled"] == "was cancelled"


def test_the_page_of_a_task_counts_points_without_being_loaded_anew(walk: Walk) -> None:
    assert walk.stayed
    assert "1 of 1" in walk.seen["done"]


def test_the_figures_of_the_report_are_drawn(walk: Walk) -> None:
    assert walk.charts
    assert all(walk.charts.values()), walk.charts


def test_the_archive_arrives_whole(walk: Walk) -> None:
    with zipfile.ZipFile(walk.archive) as archive:
        assert archive.testzip() is None
        assert {"SHA256SUMS", "Makefile", "reports/small.html"} <= set(archive.namelist())


def test_a_task_that_runs_is_stopped_and_shows_what_was_finished(walk: Walk) -> None:
    assert walk.seen["running"] == "runs"
    assert "its owner stopped it" in walk.seen["stopped"]
    assert "Interrupted" in walk.seen["stopped"]


def test_a_task_that_failed_says_why(walk: Walk) -> None:
    assert "its worker fell silent" in walk.seen["failed"]


def test_a_result_expires_and_its_page_goes(walk: Walk) -> None:
    assert "The result has expired." in walk.seen["expired"]
    assert "no such page for you" in walk.seen["gone"]


def test_a_wrong_experiment_file_is_refused_in_the_words_of_the_command_line(walk: Walk) -> None:
    assert "did you mean 'flow'?" in walk.seen["wrong YAML"]


def test_no_page_is_wider_than_the_screen(walk: Walk) -> None:
    assert len(walk.screen.looked) > 20
    assert "\n".join(walk.screen.wide) == ""


def test_the_console_stays_quiet(walk: Walk) -> None:
    assert "\n".join(walk.screen.console) == ""


def test_no_page_violates_wcag_2_1_at_levels_a_and_aa(walk: Walk) -> None:
    assert "\n".join(walk.screen.violations) == ""
