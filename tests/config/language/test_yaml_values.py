"""A YAML text has the values, and the mistakes, that OmegaConf finds in it."""

from io import StringIO

import pytest
import yaml
from omegaconf import OmegaConf
from weft.config.language import yaml_values as module
from weft.config.language.yaml_values import yaml_values
from weft.files.layout import CLONE, Layout

SHIPPED = sorted(Layout(CLONE).configs.rglob("*.yaml"))
TEXTS = [
    "",
    "a",
    "[1, 2]",
    "- 1\n- {a: b}\n",
    "a: 1e3\nb: 1.5e-3\nc: 1_000\nd: 0x1f\ne: 012\nf: 1:30\ng: .inf\nh: -.5\ni: +1.e3\n",
    "a: yes\nb: No\nc: ~\nd:\ne: on\nf: 'yes'\n",
    "a: 2001-01-01\nb: 12:30:00\n",
    "1: one\ntrue: yes\nnull: none\n",
    "a: &t {k: 1}\nb: *t\nc: {<<: *t, d: 2}\n",
    "a: ${b}\nb: ???\n",
    "a: ${b\n",
    "a: 1\na: 2\n",
    "a: {b: 1, c: 2, b: 3}\n",
    "a: !!set {x, y}\n",
    "a: !!set x\n",
    "a: !x y\n",
    "a: \t1\n",
    "a: 1\t# comment\n",
    "\ufeffa: 1\n",
    "a: 1\x85b: 2\n",
    "a: [1\n",
    "a: 1\n b: 2\n",
    "a: *t\n",
    "a: " + "9" * 5000 + "\n",
    "a: |\n  x\n   y\nb: >\n  x\n  y\n",
]


def outcome(read, text):
    try:
        return repr(read(text))
    except Exception as error:
        return type(error), str(error)


def by_omegaconf(text):
    return OmegaConf.to_container(OmegaConf.load(StringIO(text)), resolve=False)


@pytest.mark.parametrize("text", TEXTS)
def test_values_and_mistakes_are_those_of_omegaconf(text):
    assert outcome(yaml_values, text) == outcome(by_omegaconf, text)


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_shipped_files_have_the_same_values(file):
    text = file.read_text(encoding="utf-8")
    assert outcome(yaml_values, text) == outcome(by_omegaconf, text)


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML has no libyaml here")
def test_a_plain_file_needs_libyaml_only(monkeypatch):
    monkeypatch.setattr(module, "_by_omegaconf", None)
    assert yaml_values("a: {b: [1, 2.5, x, true, null]}\n") == {
        "a": {"b": [1, 2.5, "x", True, None]}
    }
