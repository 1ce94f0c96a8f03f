"""A configuration tree with the shipped groups and the experiments that a test writes."""

from collections.abc import Sequence
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

import pytest
from weft.config import ConfigError, ConfigErrors, Experiment, load_experiments

SHIPPED = Path(__file__).resolve().parents[2] / "configs"
#: Programs that shipped groups name.
PROGRAMS = ("pingpong", "alltoall")
HEAD = "title: A title\nquestion: A question?\n"


class Tree:
    """`write` adds a file, `load` and `errors` read all experiments of the tree."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.configs = root / "configs"

    def write(self, path: str, text: str) -> Path:
        file = self.configs / path
        file.write_text(text)
        return file

    def experiment(self, body: str, name: str = "x") -> Path:
        engines = "" if "engines:" in body else "engines: [flow]\n"
        return self.write(f"experiment/{name}.yaml", HEAD + engines + body)

    def load(self, overrides: Sequence[str] = ()) -> Experiment:
        (found,) = load_experiments(self.configs, ["x"], {"x": list(overrides)})
        return found

    def errors(self, overrides: Sequence[str] = ()) -> list[ConfigError]:
        with pytest.raises(ConfigErrors) as caught:
            load_experiments(self.configs, None, {"x": list(overrides)} if overrides else None)
        return caught.value.errors

    def error(self, overrides: Sequence[str] = ()) -> ConfigError:
        (only,) = self.errors(overrides)
        return only


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    copytree(SHIPPED, tmp_path / "configs", ignore=ignore_patterns("experiment", "schema"))
    (tmp_path / "configs" / "experiment").mkdir()
    (tmp_path / "programs").mkdir()
    for name in PROGRAMS:
        copy(SHIPPED.parent / "programs" / f"{name}.c", tmp_path / "programs")
    return Tree(tmp_path)
