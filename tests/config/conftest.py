"""A configuration tree with the shipped groups and the experiments that a test writes."""

from collections.abc import Sequence
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

import pytest
from weft.config import ConfigError, ConfigErrors, Experiment, load_experiments

SHIPPED = Path(__file__).resolve().parents[2] / "configs"
#: Programs that shipped groups name.
PROGRAMS = ("pingpong", "alltoall")
#: The file of the experiment that tests write.
EXPERIMENT = "configs/experiment/x.yaml"
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

    def refuses(self, body: str, key: str | None, *words: str, file: str = EXPERIMENT) -> None:
        """`body` has one mistake: in `file`, at `key` if given; the message has `words`."""
        self.experiment(body)
        error = self.error()
        assert error.file == file
        assert key in (None, error.key)
        for each in words:
            assert each in error.message

    def refuses_engine(self, text: str, key: str, words: str) -> None:
        """The declaration `text` of an engine has a mistake at `key`, and `words` say so."""
        self.write("engine/echo.yaml", text)
        self.experiment("")
        found = {error.key: error for error in self.errors()}
        assert found[key].file.startswith("configs/engine/echo.yaml")
        assert words in found[key].message


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    copytree(SHIPPED, tmp_path / "configs", ignore=ignore_patterns("experiment", "schema"))
    (tmp_path / "configs" / "experiment").mkdir()
    (tmp_path / "programs").mkdir()
    for name in PROGRAMS:
        copy(SHIPPED.parent / "programs" / f"{name}.c", tmp_path / "programs")
    return Tree(tmp_path)
