"""The recipes of docs/extending.md for a kind of figure and for a question hold, word by word."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long("figure_recipe")]
ROOT = Path(__file__).resolve().parents[2]
#: What the recipe of a question says in a sentence.
IMPORT = "from weft.report.answers.spread import SpreadAsk\n"


def recipe(title: str) -> list[str]:
    """The pieces of Python in a section, in their order."""
    text = (ROOT / "docs" / "extending.md").read_text()
    section = text.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"```python\n(.*?)```", section, re.S)


@dataclass(frozen=True, slots=True)
class Clone:
    """What a clone holds of the package and of what the tests of recipes need."""

    root: Path

    def write(self, path: str, text: str) -> None:
        """Write a new file."""
        assert not (self.root / path).exists()
        (self.root / path).write_text(text)

    def put(self, path: str, *pairs: tuple[str, str]) -> None:
        """Put the second text of each pair in front of the first, which the file has once."""
        file = self.root / path
        text = file.read_text()
        for before, new in pairs:
            assert text.count(before) == 1
            text = text.replace(before, new + before)
        file.write_text(text)

    def python(self, *words: str) -> None:
        """Run a module of Python, which must end well."""
        environment = {**os.environ, "PYTHONPATH": str(self.root / "workflow")}
        command = [sys.executable, "-m", *words]
        done = subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def check(self, module: str, test: str, word: str) -> None:
        """Test, type and describe what a recipe has added under the name `word`."""
        self.python("pytest", test)
        self.python("mypy", "--strict", module, "--follow-imports=silent")
        self.python("weft.config.generate.schema", "configs/schema")
        schema = self.root / "configs" / "schema" / "experiment.schema.json"
        assert f'"{word}"' in schema.read_text()


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    shutil.copytree(ROOT / "workflow" / "weft", tmp_path / "workflow" / "weft")
    tests = tmp_path / "tests" / "report"
    for name in ("kinds", "answers"):
        (tests / name).mkdir(parents=True)
    for path in (ROOT / "tests" / "report").glob("*_samples.py"):
        shutil.copy(path, tests)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "configs", tmp_path / "configs")
    return Clone(tmp_path)


def test_the_recipe_of_a_figure_kind_makes_a_page(clone: Clone) -> None:
    model, name, kind, test = recipe("A figure kind")
    table = "\n\nFIGURES: dict[str, type[Figure]] = {\n"
    path = "workflow/weft/config/model/figures.py"
    clone.put(path, (table, f"\n\n{model}"), ('    "bar": ', name))
    module, written = (
        "workflow/weft/report/kinds/histogram.py",
        "tests/report/kinds/test_histogram.py",
    )
    clone.write(module, kind)
    clone.write(written, test)
    clone.check(module, written, "histogram")


def test_the_recipe_of_a_question_makes_a_sentence(clone: Clone) -> None:
    model, name, sentences, entry, test = recipe("A question of the answer box")
    table = "\n\nQUESTIONS: dict[str, type[AnswerRequest]] = {\n"
    path = "workflow/weft/config/model/answer.py"
    clone.put(path, (table, f"\n\n{model}"), ('    "best": ', name))
    clone.put(
        "workflow/weft/report/answers/questions.py",
        ("    listed,\n", "    Spread,\n"),
        ("from weft.report.data.references ", IMPORT),
        ("    if isinstance(request, Choices):\n", entry),
    )
    module, written = (
        "workflow/weft/report/answers/spread.py",
        "tests/report/answers/test_spread.py",
    )
    clone.write(module, sentences)
    clone.write(written, test)
    clone.check(module, written, "spread")
