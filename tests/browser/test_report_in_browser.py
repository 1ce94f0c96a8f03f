"""Reports in a real browser: drawn, quiet, filterable and narrow enough for a phone."""

from __future__ import annotations

from pathlib import Path

import duckdb
import packet_samples
import pytest
import report_samples
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from weft.report.pages.build import build_index, build_paper, build_report

from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.slow, pytest.mark.long("pages")]
CONFIGS = report_samples.CONFIGS
MARKS = ", ".join(f"[id='{{}}'] .mark-{mark}.role-mark path" for mark in ("symbol", "line", "rect"))
PAGES = (
    *("quickstart", "mfs_table1", "mfs_atr", "paper_mfs", "paper_mfs@quick", "index", "fidelity"),
)


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    reports = folder / "reports"
    plan, database = report_samples.quickstart(folder / "quickstart")
    build_report(plan, database, CONFIGS, reports / "quickstart.html")
    plan, database = report_samples.quickstart(folder / "flagged")
    with duckdb.connect(str(database)) as connection:
        connection.execute("UPDATE metrics SET flag = 'busy' WHERE message_bytes > 4096")
    build_report(plan, database, CONFIGS, reports / "flagged.html")
    plan, database = packet_samples.fidelity(folder / "fidelity")
    build_report(plan, database, CONFIGS, reports / "fidelity.html")
    panels = {"x": "workload.injection_rate", "y": "accepted_rate", "row": "topology.kind"}
    plan, database = packet_samples.loads(folder / "panels", [{"line": panels}])
    build_report(plan, database, CONFIGS, reports / "panels.html")
    plans, database = report_samples.mfs(folder / "mfs")
    for each in plans:
        build_report(each, database, CONFIGS, reports / f"{each.parent.name}.html")
    build_paper("mfs", plans, database, CONFIGS, reports / "paper_mfs.html")
    quick = report_samples.mfs(folder / "quick", "@quick")
    build_paper("mfs@quick", *quick, CONFIGS, reports / "paper_mfs@quick.html")
    build_index(reports, plans, database, reports / "index.html")
    return reports


def opened(browser: webdriver.Chrome, page: Path, width: int = 1280, scheme: str = "light") -> None:
    browser.get_log("browser")
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(page.as_uri())
    drawn = "return document.documentElement.dataset.drawn !== undefined"
    WebDriverWait(browser, PATIENCE_S).until(lambda b: b.execute_script(drawn))


def marks(browser: webdriver.Chrome, chart: str) -> int:
    found = browser.find_elements(By.CSS_SELECTOR, MARKS.replace("{}", chart))
    return sum(1 for mark in found if mark.get_attribute("d"))


def charts(browser: webdriver.Chrome) -> list[str]:
    found = browser.find_elements(By.CSS_SELECTOR, ".chart")
    return [str(chart.get_attribute("id")) for chart in found]


@pytest.mark.parametrize("name", PAGES)
def test_every_figure_has_marks_and_the_console_stays_quiet(
    browser: webdriver.Chrome, pages: Path, name: str
) -> None:
    opened(browser, pages / f"{name}.html")
    assert name == "index" or charts(browser)
    assert [chart for chart in charts(browser) if marks(browser, chart) == 0] == []
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_does_not_scroll_sideways(
    browser: webdriver.Chrome, pages: Path, name: str
) -> None:
    opened(browser, pages / f"{name}.html", width=390)
    width = browser.execute_script("return document.documentElement.scrollWidth")
    assert width <= 390
    wide = "return [...document.querySelectorAll('.chart svg')].map(s => s.clientWidth)"
    assert all(each <= 390 for each in browser.execute_script(wide))


#: The first chart's top edge, in pixels from that of the page.
TOP = "return document.querySelector('.chart svg').getBoundingClientRect().top + scrollY"


@pytest.mark.parametrize("name", ["quickstart", "mfs_table1", "mfs_atr", "fidelity", "panels"])
@pytest.mark.parametrize(("width", "pixels"), [(1280, 800), (390, 1800)])
def test_the_figure_that_shows_the_answer_is_on_the_first_screen_and_on_the_second_of_a_phone(
    browser: webdriver.Chrome, pages: Path, name: str, width: int, pixels: int
) -> None:
    opened(browser, pages / f"{name}.html", width)
    assert 0 < browser.execute_script(TOP) < pixels


def test_contents_are_folded_on_a_phone_alone(browser: webdriver.Chrome, pages: Path) -> None:
    is_open = "return document.querySelector('.contents details').open"
    opened(browser, pages / "quickstart.html", width=390)
    assert not browser.execute_script(is_open)
    opened(browser, pages / "quickstart.html")
    assert browser.execute_script(is_open)


def test_on_paper_nothing_is_folded(browser: webdriver.Chrome, pages: Path) -> None:
    opened(browser, pages / "flagged.html")
    folded = "return [...document.querySelectorAll('details.caveat')].filter(d => !d.open).length"
    assert browser.execute_script(folded) > 0
    browser.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert browser.execute_script(folded) == 0


def test_a_click_on_a_legend_entry_filters(browser: webdriver.Chrome, pages: Path) -> None:
    opened(browser, pages / "quickstart.html")
    chart = "figure-1-1"
    before = marks(browser, chart)
    entry = browser.find_elements(By.CSS_SELECTOR, f"#{chart} .role-legend-label text")[0]
    browser.execute_script(
        "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", entry
    )
    ActionChains(browser).move_to_element(entry).click().perform()
    WebDriverWait(browser, PATIENCE_S).until(lambda b: marks(b, chart) < before)
    assert marks(browser, chart) > 0
    left = browser.find_elements(By.CSS_SELECTOR, f"#{chart} .role-legend-label text")
    assert len(left) == 2


def test_the_legend_of_the_first_panel_filters_the_others(
    browser: webdriver.Chrome, pages: Path
) -> None:
    opened(browser, pages / "panels.html")
    assert browser.find_elements(By.CSS_SELECTOR, "#figure-1-2 .role-legend-label") == []
    before = marks(browser, "figure-1-2")
    entry = browser.find_elements(By.CSS_SELECTOR, "#figure-1-1 .role-legend-label text")[0]
    ActionChains(browser).move_to_element(entry).click().perform()
    WebDriverWait(browser, PATIENCE_S).until(lambda b: 0 < marks(b, "figure-1-2") < before)


def test_a_click_saves_the_data_of_a_figure_as_text(browser: webdriver.Chrome, pages: Path) -> None:
    opened(browser, pages / "quickstart.html")
    text = browser.execute_async_script(
        "const done = arguments[arguments.length - 1], before = URL.createObjectURL;"
        "URL.createObjectURL = blob => { blob.text().then(done); return before(blob); };"
        "document.querySelector('#figure-1 a.download').click();"
    )
    assert text.startswith("panel,series,kind,message_bytes,one_way_time_s [s],low,high,n,flag\n")


def test_the_index_shows_only_what_is_chosen(browser: webdriver.Chrome, pages: Path) -> None:
    opened(browser, pages / "index.html")
    shown = "return [...document.querySelectorAll('.entry')].filter(e => e.offsetHeight).length"
    assert browser.execute_script(shown) == 2
    browser.find_element(By.CSS_SELECTOR, "select[data-key=topology]").send_keys("fat_tree")
    assert browser.execute_script(shown) == 1


def test_a_wide_table_scrolls_within_itself_and_shows_that(
    browser: webdriver.Chrome, pages: Path
) -> None:
    opened(browser, pages / "quickstart.html", width=390)
    table = "document.querySelector('#cost .scroll')"
    assert browser.execute_script(f"return {table}.scrollWidth > {table}.clientWidth")
    cue = browser.execute_script(f"return getComputedStyle({table}).backgroundAttachment")
    assert "local" in cue
    assert "scroll" in cue


def test_the_page_follows_the_systems_dark_mode_and_the_button(
    browser: webdriver.Chrome, pages: Path
) -> None:
    colour = "return getComputedStyle(document.body).backgroundColor"
    opened(browser, pages / "quickstart.html", scheme="dark")
    dark = browser.execute_script(colour)
    browser.find_element(By.ID, "theme").click()
    assert browser.execute_script(colour) != dark
    browser.execute_script("localStorage.clear()")


def test_charts_offer_svg_and_png_but_no_editor(browser: webdriver.Chrome, pages: Path) -> None:
    opened(browser, pages / "quickstart.html")
    script = "return [...document.querySelectorAll('#figure-1-1 .vega-actions a')].map(a => a.text)"
    assert browser.execute_script(script) == ["Save as SVG", "Save as PNG"]
