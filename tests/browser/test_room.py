"""Texts of charts find their room in a real browser: labels of axes and tooltips."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import packet_samples
import pytest
from report_samples import CONFIGS, Row, make_plan, point, run
from selenium import webdriver
from selenium.webdriver.common.by import By
from weft.report.pages.build import build_report

from tests.browser.test_report_in_browser import opened
from tests.report.draw import test_networks

pytestmark = pytest.mark.slow
#: Returns when the browser has drawn what it does about an event.
TWO_FRAMES = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(done))"
#: From labels that lie side by side to labels that must stand upright.
LENGTHS = range(8, 20, 2)


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with a chart of eight words for each length."""
    folder = tmp_path_factory.mktemp("words")
    names = {n: [f"{place}{'n' * (n - 1)}" for place in range(8)] for n in LENGTHS}
    points, metrics = [], []
    for name in [each for own in names.values() for each in own]:
        spec: Row = {"topology": {"kind": "mesh"}, "network": {}, "options": {},
                     "workload": {"kind": "messages", "pattern": name}}  # fmt: skip
        points.append(point("flow", {"workload.pattern": name}, spec))
        metrics.append(packet_samples.value(points[-1], "makespan_s", 1e-6, "s"))
    line = {"x": "workload.pattern", "y": "makespan_s"}
    figures = [{"line": {**line, "where": {"workload.pattern": own}}} for own in names.values()]
    stored = packet_samples.stored(
        folder, make_plan("words", points, figures), metrics, [run(at) for at in points]
    )
    build_report(*stored, CONFIGS, folder / "words.html")
    return folder / "words.html"


@pytest.mark.parametrize("width", [1280, 1000, 390])
def test_labels_of_words_are_never_cut(browser: webdriver.Chrome, words: Path, width: int) -> None:
    opened(browser, words, width)
    cut = browser.execute_script("""
      return [...document.querySelectorAll('.chart svg')].flatMap(svg => {
        const box = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('.role-axis-label text')]
          .filter(text => text.getBoundingClientRect().bottom > box.bottom + 1)
          .map(text => text.textContent);
      })""")
    assert cut == []


#: Those of a ping-pong, B: closer where the protocol of MPI changes.
SIZES = (
    *(
        0,
        1,
        2,
        4,
        8,
        16,
        32,
        64,
        128,
        256,
        512,
        640,
        768,
        896,
        1024,
        1280,
        1536,
        2048,
        3072,
        3968,
        4096,
        6144,
        8064,
        8192,
    ),
    *(12288, 16256, 16384, 24576, 32640, 32768, 49152, 65408, 65536),
    *(131072, 262144, 524288, 1048576),
)


@pytest.fixture(scope="module")
def sizes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with lines over more and more of these sizes."""
    folder = tmp_path_factory.mktemp("sizes")
    spec: Row = {"topology": {"kind": "mesh"}, "network": {}, "options": {},
                 "workload": {"kind": "messages"}}  # fmt: skip
    ends = range(18, 34)
    points = [point("flow", {"topology.k": end}, spec) for end in ends]
    metrics = [
        packet_samples.value(at, "makespan_s", 1e-6 + 1e-10 * size, "s", size)
        for at, end in zip(points, ends, strict=True)
        for size in SIZES[:end]
    ]
    line = {"x": "message_bytes", "y": "makespan_s", "log_x": True, "log_y": True}
    figures = [{"line": {**line, "where": {"topology.k": end}}} for end in ends]
    stored = packet_samples.stored(
        folder, make_plan("sizes", points, figures), metrics, [run(at) for at in points]
    )
    build_report(*stored, CONFIGS, folder / "sizes.html")
    return folder / "sizes.html"


@pytest.mark.parametrize("width", [1280, 390])
def test_the_last_label_of_an_axis_is_whole(
    browser: webdriver.Chrome, sizes: Path, width: int
) -> None:
    opened(browser, sizes, width)
    charts, cut = browser.execute_script("""
      const charts = [...document.querySelectorAll('.chart svg')];
      return [charts.length, charts.flatMap(svg => {
        const box = svg.getBoundingClientRect();
        return [...svg.querySelectorAll('.role-axis-label text')]
          .filter(text => text.getAttribute('opacity') !== '0' && text.style.opacity !== '0')
          .filter(text => text.getBoundingClientRect().right > box.right + 1)
          .map(text => text.textContent);
      })]""")
    assert charts >= 16
    assert cut == []


#: Texts and gradients of legends that leave the drawing, end in an ellipsis or lie on each other.
WRONG_LEGENDS = """
  return [...document.querySelectorAll('.chart svg')].flatMap(svg => {
    const box = svg.getBoundingClientRect();
    const parts = [...svg.querySelectorAll('.role-legend text, .role-legend-gradient path')]
      .filter(each => each.tagName === 'path' || each.textContent && each.style.opacity !== '0'
        && each.getAttribute('opacity') !== '0')
      .map(each => [each.textContent || 'gradient', each.getBoundingClientRect()]);
    const cut = parts.filter(([text, place]) => text.includes('…')
      || place.left < box.left - 1 || place.right > box.right + 1 || place.top < box.top - 1);
    const over = parts.filter(([_, a], i) => parts.some(([_, b], j) => i < j
      && a.left < b.right - 1 && b.left < a.right - 1
      && a.top < b.bottom - 3 && b.top < a.bottom - 3));
    return [...cut, ...over].map(([text]) => text);
  })"""


@pytest.fixture(scope="module")
def maps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of maps: classes of agreement, a ratio and a metric by hue."""
    folder = tmp_path_factory.mktemp("maps")
    rows = ("topology.kind", "workload.pattern", "workload.injection_rate")
    build_report(*packet_samples.fidelity(folder, rows), CONFIGS, folder / "maps.html")
    return folder / "maps.html"


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_legends_of_maps_are_whole(browser: webdriver.Chrome, maps: Path, width: int) -> None:
    opened(browser, maps, width)
    assert browser.find_elements(By.CSS_SELECTOR, ".chart .role-legend-gradient path")
    assert browser.execute_script(WRONG_LEGENDS) == []


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_legends_of_series_are_whole(browser: webdriver.Chrome, tmp_path: Path, width: int) -> None:
    points: list[Any] = []
    metrics: list[Any] = []
    figures: list[Any] = []
    for length in range(3, 18):
        names = [f"{place} minimal adaptive"[:length] for place in "abcd"]
        for name in names:
            spec: Row = {"topology": {"kind": "mesh"}, "network": {}, "options": {},
                         "workload": {"kind": "messages", "pattern": name}}  # fmt: skip
            points.append(point("flow", {"workload.pattern": name}, spec))
            metrics.append(packet_samples.value(points[-1], "makespan_s", 1e-6, "s"))
        line = {"x": "topology.kind", "y": "makespan_s", "color": "workload.pattern"}
        figures.append({"line": {**line, "where": {"workload.pattern": names}}})
    runs = [run(at) for at in points]
    stored = packet_samples.stored(tmp_path, make_plan("lines", points, figures), metrics, runs)
    build_report(*stored, CONFIGS, tmp_path / "lines.html")
    opened(browser, tmp_path / "lines.html", width)
    assert len(browser.find_elements(By.CSS_SELECTOR, ".chart .role-legend")) == len(figures)
    assert browser.execute_script(WRONG_LEGENDS) == []


#: From what fits a phone in small letters to three lines.
LONG_NAMES = tuple(
    (f"tree of {text}", f"ring of {text}")
    for text in (
        "eight ranks of a dragonfly",
        "eight ranks on each of 64 nodes, minimal adaptive",
        "eight ranks on each of 64 nodes of a dragonfly, minimal adaptive, with four buffers",
    )
)


@pytest.mark.parametrize("width", [390, 320])
def test_long_names_of_series_break_between_words(
    browser: webdriver.Chrome, tmp_path: Path, width: int
) -> None:
    points: list[Any] = []
    metrics: list[Any] = []
    figures: list[Any] = []
    for names in LONG_NAMES:
        for name, engine in [(name, engine) for name in names for engine in ("flow", "rdma")]:
            spec: Row = {"topology": {"kind": "mesh"}, "network": {}, "options": {},
                         "workload": {"kind": "messages", "pattern": name}}  # fmt: skip
            points.append(point(engine, {"workload.pattern": name}, spec))
            metrics.append(packet_samples.value(points[-1], "makespan_s", 1e-6, "s"))
        line = {"x": "topology.kind", "y": "makespan_s", "color": "workload.pattern"}
        figures.append({"line": {**line, "where": {"workload.pattern": list(names)}}})
    runs = [run(at) for at in points]
    stored = packet_samples.stored(tmp_path, make_plan("long", points, figures), metrics, runs)
    build_report(*stored, CONFIGS, tmp_path / "long.html")
    opened(browser, tmp_path / "long.html", width)
    assert len(browser.find_elements(By.CSS_SELECTOR, ".chart .role-legend")) == len(figures)
    assert browser.execute_script(WRONG_LEGENDS) == []


def test_a_long_name_in_a_title_breaks_on_a_phone(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    spec: Row = {"topology": {"kind": "mesh"}, "network": {}, "options": {}, "workload": {}}
    points, title = [point("flow", {}, spec)], "before..after+topology=mesh+network=gigabit"
    metrics = [packet_samples.value(points[0], "makespan_s", 1e-6, "s")]
    plan = make_plan("named", points, [], title=title)
    stored = packet_samples.stored(tmp_path, plan, metrics, [run(points[0])])
    build_report(*stored, CONFIGS, tmp_path / "named.html")
    opened(browser, tmp_path / "named.html", 390)
    wide = "const h1 = document.querySelector('h1'); return h1.scrollWidth - h1.clientWidth"
    assert browser.execute_script(wide) <= 0


def test_the_tooltip_of_a_link_stays_on_a_phone(browser: webdriver.Chrome, tmp_path: Path) -> None:
    flows = [("router 1>router 2", f"node {a}", f"node {b}", 1.0) for a, b in
             ((1001, 1002), (1003, 1004), (1005, 1006))]  # fmt: skip
    test_networks.drawn(tmp_path, {}, flows=flows)
    built = (tmp_path / "results/net/plan.json", tmp_path / "results/weft.duckdb")
    build_report(*built, CONFIGS, tmp_path / "net.html")
    opened(browser, tmp_path / "net.html", 390)
    for line in browser.find_elements(By.CSS_SELECTOR, ".chart .mark-rule line"):
        place = browser.execute_script(
            "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'});"
            "const box = arguments[0].getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]",
            line,
        )
        for away in (1, 0):
            event = {"type": "mouseMoved", "x": place[0] + away, "y": place[1]}
            browser.execute_cdp_cmd("Input.dispatchMouseEvent", event)
        browser.execute_async_script(TWO_FRAMES)
        text, left, right = browser.execute_script(
            "const tip = document.querySelector('#vg-tooltip-element');"
            "const box = tip.getBoundingClientRect();"
            "return [tip.innerText, box.left, box.right]"
        )
        assert 0 <= left < right <= 390
        if "router 1 – router 2" in text:
            assert "1001 → 1002" in text
            return
    pytest.fail("no tooltip names the cable of routers 1 and 2")
