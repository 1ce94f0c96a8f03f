"""Where people run weft: folders with spaces and umlauts, no HOME, other encodings, no terminal."""

import os
import time
from pathlib import Path

import pytest

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.slow, pytest.mark.long("runs")]


PLAIN = {"LC_ALL": "C"}
#: As in a locale of another encoding, which few machines have.
ASCII = {**PLAIN, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_a_project_with_spaces_and_umlauts_without_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pröject with späces", "tmp with späces"):
        (tmp_path / name).mkdir()
    project = Project(tmp_path / "pröject with späces")
    project.small("tiny", [3], title="Größe")
    monkeypatch.delitem(project.environment, "HOME")
    surroundings = {"TMPDIR": str(tmp_path / "tmp with späces"), "COLUMNS": "40"}
    page = project.folder / "reports" / "tiny.html"
    for locale, forced in ((ASCII, "--forceall"), (PLAIN, "--force")):
        done = project.run("reports/tiny.html", forced, **surroundings, **locale)
        assert done.code == 0, done.output
        assert "Größe" in page.read_text(encoding="utf-8")
    wrong = project.run("plan", "--config", "overrides=[größe=1]", **surroundings, **ASCII)
    assert "größe=1" in wrong.output


def test_a_home_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.small("tiny", [3])
    (tmp_path / "file").touch()
    # Nobody, not even root, makes a folder there.
    for home in ("/proc/1/absent", str(tmp_path / "file")):
        without = {"XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "", "HOME": home}
        done = project.run("reports/tiny.html", "--forceall", **without)
        assert done.code == 0, done.output
        assert "Traceback" not in done.output


def test_a_clock_that_was_set_back_stops_nothing(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.small("tiny", [3])
    assert project.run("reports/tiny.html").code == 0
    tomorrow = time.time() + 86_400
    for path in [*(tmp_path / "results").rglob("*"), *(tmp_path / "reports").rglob("*")]:
        os.utime(path, (tomorrow, tomorrow))
    project.small("tiny", [3, 4])
    done = project.run("reports/tiny.html")
    assert done.code == 0, done.output
    assert "of tiny were dated up to 24.0 h ahead; was the clock set back?" in done.output
    again = project.run("-n", "reports/tiny.html")
    assert "Nothing to be done" in again.output
    assert "ahead" not in again.output
