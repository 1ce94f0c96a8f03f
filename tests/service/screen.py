"""A person at a browser: pages of the server, and what is wrong with the way they look and act."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import axe_core_python
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select

from tests.service.conftest import PASSWORD, Site, wait_for

WIDTHS = (1280, 390)
_WIDEST = """
const edge = each => each.getBoundingClientRect().right;
const all = [...document.querySelectorAll("main *")].filter(each => !each.closest(".scroll"));
const found = all.reduce((a, b) => edge(b) > edge(a) ? b : a);
return `${Math.round(edge(found))} px: ${found.outerHTML.slice(0, 200)}`;
"""
#: Whatever a person does by keys takes fewer of them.
MOST_TABS = 200
AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text()
VIOLATIONS = """
const done = arguments[0];
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"];
axe.run(document, {runOnly: {type: "tag", values: tags}}).then(found => done(
  found.violations.map(each => each.id + ": " + each.nodes.map(node => node.html).join(" "))
), error => done([String(error)]));
"""


@dataclass
class Screen:
    """One browser at one site; `look` notes what is wrong with the page that is open."""

    driver: webdriver.Chrome
    site: Site
    downloads: Path
    looked: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    wide: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)

    def begin(self) -> None:
        """Nothing of an earlier person is left, and nothing is reported that is not this one's."""
        self.driver.delete_all_cookies()
        self.driver.get_log("browser")
        where = {"behavior": "allow", "downloadPath": str(self.downloads)}
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", where)
        self.width(1280)

    def width(self, pixels: int) -> None:
        size = {"width": pixels, "height": 900, "deviceScaleFactor": 1, "mobile": pixels < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def open(self, path: str) -> None:
        self.driver.get(path if "://" in path else self.site.address + path)

    def look(self, name: str, *expected: str) -> None:
        """Note what is wrong with this page; lines of the console with `expected` belong there."""
        self.looked.append(name)
        lines = [str(each["message"]) for each in self.driver.get_log("browser")]
        odd = [line for line in lines if not any(text in line for text in expected)]
        self.console += [f"{name}: {line}" for line in odd]
        for width in WIDTHS:
            self.width(width)
            found = self.driver.execute_script(
                "return Math.max(document.documentElement.scrollWidth, innerWidth)"
            )
            if found != width:
                widest = self.driver.execute_script(_WIDEST)
                self.wide.append(f"{name} at {width} px is {found} px wide: {widest}")
            self.driver.execute_script(AXE)
            broken = self.driver.execute_async_script(VIOLATIONS)
            self.violations += [f"{name} at {width} px: {each}" for each in broken]
        self.width(1280)

    def log_in(self, address: str, password: str = PASSWORD) -> None:
        self.open("/accounts/log-in")
        self.fill("id_username", address)
        self.fill("id_password", password)
        self.press("Log in", "main")

    def find(self, name: str) -> WebElement:
        return self.driver.find_element(By.ID, name)

    def fill(self, name: str, text: str) -> None:
        self.find(name).clear()
        self.find(name).send_keys(text)

    def choose(self, name: str, word: str) -> None:
        Select(self.find(name)).select_by_visible_text(word)

    def press(self, words: str, inside: str = "body") -> None:
        """A click on a button, after which there is another page."""
        there = self.driver.find_element(By.TAG_NAME, "html")
        path = f"//{inside}//button[normalize-space()='{words}']"
        self.driver.find_element(By.XPATH, path).click()
        wait_for(lambda: gone(there))

    def follow(self, words: str) -> None:
        there = self.driver.find_element(By.TAG_NAME, "html")
        self.driver.find_element(By.PARTIAL_LINK_TEXT, words).click()
        wait_for(lambda: gone(there))

    def shown(self) -> str:
        """What a page says; nothing while it is exchanged."""
        script = "return document.querySelector('main')?.innerText ?? ''"
        return str(self.driver.execute_script(script))

    def state(self) -> str:
        """The state on a task's page; nothing while the page is exchanged."""
        script = "return document.querySelector('dd.state')?.textContent ?? ''"
        return str(self.driver.execute_script(script))

    def keys(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def enter(self) -> None:
        """Enter, after which there is another page."""
        there = self.driver.find_element(By.TAG_NAME, "html")
        self.keys(Keys.ENTER)
        wait_for(lambda: gone(there))

    def tab_to(self, script: str) -> None:
        """Tab until JavaScript's `at`, which has the focus, fulfils the condition."""
        for _ in range(MOST_TABS):
            self.keys(Keys.TAB)
            at = "const at = document.activeElement; return "
            if self.driver.execute_script(at + script):
                visible = "getComputedStyle(at).outlineStyle !== 'none'"
                assert self.driver.execute_script(at + visible), f"no visible focus: {script}"
                return
        raise AssertionError(f"no key leads to {script}")


def gone(element: WebElement) -> bool:
    """Whether the page of an element has been left, and the next one is whole."""
    try:
        element.is_enabled()
    except StaleElementReferenceException:
        ready = element.parent.execute_script("return document.readyState")
        return bool(ready == "complete")
    except WebDriverException:
        return False
    return False
