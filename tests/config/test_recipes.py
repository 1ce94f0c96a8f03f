"""The experiments of docs/recipes.md have points, and say what a page can answer."""

import re
from pathlib import Path
from shutil import copytree

import pytest
from weft.plan.expansion import expand

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/recipes.md").read_text()
EXPERIMENTS = re.findall(r"```yaml\n(title: (.*?)\n.*?)```", TEXT, re.DOTALL)
(LINKS,) = re.findall(r"```csv\n(.*?)```", TEXT, re.DOTALL)


def test_there_are_recipes():
    assert len(EXPERIMENTS) >= 6


@pytest.mark.parametrize("text", [text for text, _ in EXPERIMENTS], ids=[t for _, t in EXPERIMENTS])
def test_the_experiment_of_a_recipe_has_points(tree, text):
    copytree(ROOT / "programs", tree.root / "programs", dirs_exist_ok=True)
    networks = tree.root / "networks"
    networks.mkdir()
    (networks / "site.csv").write_text(LINKS)
    tree.write("experiment/x.yaml", text)
    assert len(expand(tree.load())) > 1
