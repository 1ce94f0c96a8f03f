"""What the suites of the long tier cover: files that are there, and what their tests call."""

import pytest

from tests.long.digest import ROOT, covered_files
from tests.long.stale import marked_files, read_record
from tests.long.suites import SUITES
from tests.test_house import imports, modules

#: Suites of surveys, whose tests only start programs and read what they print.
SURVEYS = ("booksim2", "network_survey", "crate_recipes")
#: The package itself: a version, and names that are imported on demand.
PACKAGE = "workflow/weft/__init__.py"


def test_the_record_names_known_suites() -> None:
    assert set(read_record()) <= set(SUITES)


def test_every_pattern_of_a_suite_names_a_file() -> None:
    """A module that was renamed would else leave what it covers without a word."""
    patterns = {each for covers in SUITES.values() for each in covers}
    named = {each for each in patterns if not each.startswith(":(ex") and "build.rs" not in each}
    assert [each for each in sorted(named) if not covered_files((each,))] == []


@pytest.mark.parametrize("suite", sorted({*SUITES} - {*SURVEYS}))
def test_a_suite_covers_its_tests_and_the_modules_that_they_import(suite: str) -> None:
    """A test that calls another module than its suite covers would not run when that changes."""
    known = modules()
    files = marked_files(suite)
    assert files
    called = set().union(*(imports(ROOT / file, known) for file in files))
    paths = {known[name].relative_to(ROOT).as_posix() for name in called}
    covered = covered_files(SUITES[suite]) or set()
    assert sorted({*files, *paths} - {PACKAGE} - covered) == []
