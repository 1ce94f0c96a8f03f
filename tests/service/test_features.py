"""The table of features in the documents names tests that there are."""

import re

from tests.service.conftest import ROOT

HERE = ROOT / "tests" / "service"
ROW = re.compile(r"^\| (\d+) \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
NOTHING = "not shown by a test"


def shown() -> dict[int, str]:
    """What shows each feature, by its number."""
    _, _, table = (ROOT / "docs" / "service.md").read_text().partition("## The features of TaaS")
    return {int(number): text for number, text in ROW.findall(table)}


def test_each_feature_of_taas_names_tests_that_there_are_or_says_that_there_is_none() -> None:
    found = shown()
    assert list(found) == list(range(1, 33))
    for number, text in found.items():
        named = re.findall(r"`([\w/]+\.py)::(\w+)`", text)
        assert named or text == NOTHING, number
        for path, test in named:
            file = ROOT / path if "/" in path else HERE / path
            assert f"def {test}(" in file.read_text(), f"{path}::{test}"
