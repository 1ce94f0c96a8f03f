"""A headless Chromium for tests: skipped where there is none, except on CI."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from tests.missing import missing
from tests.patience import PATIENCE_S

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync"
)


def _program(*names: str) -> str | None:
    return next((path for name in names if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    chromium = _program("chromium", "chromium-browser", "google-chrome")
    driver = _program("chromedriver", "chromium.chromedriver")
    if not chromium or not driver:
        reason = "no Chromium with chromedriver on PATH"
        missing(reason)
    options = Options()
    options.binary_location = chromium
    for flag in FLAGS.split():
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    session = webdriver.Chrome(options=options, service=Service(driver))
    session.set_script_timeout(PATIENCE_S)
    yield session
    session.quit()
