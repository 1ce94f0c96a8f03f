"""Every kind of figure is drawn by a module of its name, and the recipe for a new one holds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from weft.config.model.figures import FIGURES, Line
from weft.report.html.drawings import known_kinds
from weft.report.kinds import bar

ROOT = Path(__file__).resolve().parents[3]
KINDS = ROOT / "workflow" / "weft" / "report" / "kinds"


def test_every_model_has_a_module_that_draws_it() -> None:
    assert {name: model for model, (name, _) in known_kinds().items()} == FIGURES
    assert {path.stem for path in KINDS.glob("*.py")} == {*FIGURES, "__init__"}


def test_a_module_that_draws_another_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FIGURES, "bar", Line)
    known_kinds.cache_clear()
    with pytest.raises(TypeError, match="the kind bar draws Bar, not Line"):
        known_kinds()
    known_kinds.cache_clear()
    assert bar.KIND.model.__name__ == "Bar"


def recipe() -> list[str]:
    """The code of the section about figure kinds: model, its name, rows and charts, test."""
    text = (ROOT / "docs" / "extending.md").read_text()
    section = text.split("## A figure kind", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"```python\n(.*?)```", section, re.S)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a clone holds of the package and of what the recipe's test needs."""
    shutil.copytree(ROOT / "workflow" / "weft", tmp_path / "workflow" / "weft")
    tests = tmp_path / "tests" / "report"
    (tests / "kinds").mkdir(parents=True)
    for path in (ROOT / "tests" / "report").glob("*_samples.py"):
        shutil.copy(path, tests)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "configs", tmp_path / "configs")
    return tmp_path


@pytest.mark.slow
@pytest.mark.long("figure_recipe")
def test_the_recipe_of_a_figure_kind_makes_a_page(clone: Path) -> None:
    model, name, kind, test = recipe()
    models = clone / "workflow" / "weft" / "config" / "model" / "figures.py"
    before, table = models.read_text().split("FIGURES: dict[str, type[Figure]] = {\n")
    models.write_text(f"{before}{model}\n\nFIGURES: dict[str, type[Figure]] = {{\n{name}{table}")
    (clone / "workflow" / "weft" / "report" / "kinds" / "histogram.py").write_text(kind)
    (clone / "tests" / "report" / "kinds" / "test_histogram.py").write_text(test)
    environment = {**os.environ, "PYTHONPATH": str(clone / "workflow")}

    def python(*words: str) -> None:
        command = [sys.executable, "-m", *words]
        done = subprocess.run(
            command, cwd=clone, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    python("pytest", "tests/report/kinds/test_histogram.py")
    python("mypy", "--strict", "workflow/weft/report/kinds/histogram.py", "--follow-imports=silent")
    python("weft.config.generate.schema", "configs/schema")
    schema = clone / "configs" / "schema" / "experiment.schema.json"
    assert '"histogram"' in schema.read_text()
