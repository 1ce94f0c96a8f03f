"""What a person does with nothing but a browser, in order, and what there is to see."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.service.conftest import PASSWORD, SMALL, Site, wait_for, with_tables
from tests.service.mailbox import Mailbox, link, mailbox_of
from tests.service.screen import Screen
from tests.service.test_kills import kill, overdue
from tests.service.test_queue import Calls

#: Takes minutes to simulate: somebody can look at it, and stop it.
LONG = SMALL.replace("[4, 5]", str(list(range(60, 90)))) + "replicates: 40\n"
#: As long, and without a point of the other.
LOST = LONG + "workload: {per_node: 11}\n"
ADDRESS = "ann@example.org"
#: What a browser writes about an answer that is right to be no success.
NOT_FOUND = "404 (Not Found)"


#: Each rank sends to the next one, as an object of a class says.
PROGRAM = {
    name: Path(__file__).with_name("programs").joinpath(name).read_text()
    for name in ("ring.cpp", "ring.hpp")
}


class Walk:
    """What a person does in order, and what there was to see."""

    def __init__(self, screen: Screen, mailbox: Mailbox) -> None:
        self.screen, self.site, self.mailbox = screen, screen.site, mailbox
        self.seen: dict[str, str] = {}
        #: Whether points were counted without the page being loaded anew.
        self.stayed = False
        self.charts: dict[str, int] = {}
        self.archive = Path()
        self.lacks = ""

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
        screen.press("Send me the mail")
        screen.look("mail sent")
        wait_for(lambda: self.mailbox.mails)
        screen.open(link(self.mailbox.texts()[0]))
        screen.look("new password")
        screen.fill("id_password", "12345678")
        screen.press("Make it my password", "main")
        self.seen["password refused"] = screen.shown()
        screen.look("new password refused")
        screen.fill("id_password", PASSWORD)
        screen.press("Make it my password", "main")
        screen.log_in(ADDRESS)
        screen.look("no tasks")

    def look_at_account(self) -> None:
        """All pages of it, and the help; nothing changes."""
        screen = self.screen
        screen.follow("Help")
        screen.look("help")
        screen.open("/accounts/forgotten")
        screen.look("a forgotten password")
        screen.open("/")
        screen.follow("Account")
        screen.look("account")
        for words, button in (("Change", "Change it"), ("Delete", "Delete my account")):
            screen.follow(words)
            screen.fill("id_current", "a-wrong-pass-phrase")
            for each in screen.driver.find_elements(By.ID, "id_password"):
                each.send_keys(PASSWORD)
            screen.press(button, "main")
            screen.look(button)
            screen.follow("Your account")

    def mend_and_submit(self) -> None:
        """A form with a mistake, mended, checked and submitted; nobody works yet."""
        screen = self.screen
        screen.follow("New task")
        screen.look("templates")
        for form in self.forms():
            screen.open(form)
            screen.look(f"form {form.rpartition('/')[2]}")
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

    def bring_program(self) -> None:
        """A program of two files of C++ in the form; the result is done before anybody looks."""
        screen, folder = self.screen, self.screen.downloads
        wait_for(lambda: self.site.confines() != "None")
        self.lacks = self.site.confines()
        if self.lacks:
            return
        screen.open("/submit/form/rdma")
        screen.fill("name", "own")
        screen.choose("topology", "torus")
        screen.fill("topology.sizes", "2, 2")
        screen.fill("workload.ranks", "4")
        screen.driver.find_element(
            By.CSS_SELECTOR, "input[name='mode.program'][value='own']"
        ).click()
        for name, text in PROGRAM.items():
            (folder / name).write_text(text)
        screen.find("workload.program.own").send_keys(
            "\n".join(str(folder / name) for name in PROGRAM)
        )
        screen.press("Check and show the plan")
        self.seen["program"] = screen.shown()
        screen.look("own program")
        screen.press("Submit")
        assert screen.state(), screen.shown()
        wait_for(lambda: screen.state() in ("is done", "has failed"))
        self.seen["program ended"] = screen.shown()
        screen.look("own program ended")

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
        """Its worker dies for the third time."""
        screen = self.screen
        self.submit(LOST, "lost")
        wait_for(lambda: screen.state() == "runs")
        kill(self.worker)
        self.site.python(
            "from weft.service.tasks.models import Task\n"
            "Task.objects.filter(state='running').update(attempts=3)"
        )
        overdue(self.site)
        self.site.manage("sweep")
        wait_for(lambda: screen.state() == "has failed")
        self.seen["failed"] = screen.shown()
        screen.look("failed")

    def stop_in_silence(self) -> None:
        """Its worker reports nothing any more, and nobody wants the task."""
        screen = self.screen
        self.submit(SMALL, "silent")
        worker = Calls(self.site, "silent")
        task, lease = worker.claim()
        worker.call(f"tasks/{task}/accept", {"lease": lease})
        wait_for(lambda: screen.state() == "runs")
        screen.press("Stop")
        screen.look("being stopped")
        overdue(self.site)
        self.site.manage("sweep")
        wait_for(lambda: screen.state() == "was stopped")
        self.seen["stopped in silence"] = screen.shown()
        screen.look("stopped in silence")

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
def walk(
    browser: webdriver.Chrome, tmp_path_factory: pytest.TempPathFactory, tables: Path
) -> Iterator[Walk]:
    site = with_tables(tmp_path_factory.mktemp("site"), tables)
    with mailbox_of(site) as mailbox, ending(site):
        site.start_server()
        screen = Screen(browser, site, tmp_path_factory.mktemp("downloads"))
        screen.begin()
        found = Walk(screen, mailbox)
        found.apply()
        found.look_at_account()
        found.mend_and_submit()
        found.cancel()
        found.wrong_yaml()
        found.watch()
        found.take()
        found.bring_program()
        found.stop()
        found.expire()
        found.fail()
        found.stop_in_silence()
        yield found


@contextmanager
def ending(site: Site) -> Iterator[None]:
    try:
        yield
    finally:
        site.end()
