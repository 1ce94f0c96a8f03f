"""Where people run weft: folders with spaces and umlauts, no HOME, other encodings, no terminal."""

from pathlib import Path

import pytest

from tests.workflow.conftest import Project

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C"},
        # As in a locale of another encoding, which few machines have.
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
    ids=["C", "ASCII"],
)
def test_a_project_with_spaces_and_umlauts_without_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: dict[str, str]
) -> None:
    for name in ("pröject with späces", "tmp with späces"):
        (tmp_path / name).mkdir()
    project = Project(tmp_path / "pröject with späces")
    project.small("tiny", [3], title="Größe")
    monkeypatch.delitem(project.environment, "HOME")
    surroundings = {"TMPDIR": str(tmp_path / "tmp with späces"), "COLUMNS": "40", **locale}
    done = project.run("reports/tiny.html", **surroundings)
    assert done.code == 0, done.output
    assert "Größe" in (project.folder / "reports" / "tiny.html").read_text(encoding="utf-8")
