"""Of every command that the documents print it is known who types it."""

import re

import pytest

from tests.documented import others
from tests.documented.lines import (
    COMMANDS,
    ELSEWHERE,
    OTHERS,
    Clone,
    all_lines,
    lines,
    of_another_program,
    queries,
)
from tests.documents import ROOT, blocks

pytestmark = [pytest.mark.slow, pytest.mark.long("documents")]


def test_every_line_is_typed_once() -> None:
    typed = [line.text for clone in Clone for line in lines(clone)]
    assert set(typed) == {line.text for line in all_lines()}
    assert len(typed) == len(set(typed))
    assert len(typed) > 60


def test_every_query_is_asked() -> None:
    asked = queries(Clone.QUICKSTART) + queries(Clone.PERMUTATIONS)
    assert sorted(asked) == sorted(blocks("sql"))


def test_of_every_other_command_it_is_known_who_types_it() -> None:
    left = [text for text, each in OTHERS.items() if not of_another_program(each)]
    assert [text for text in left if not text.startswith(tuple(others.ELSEWHERE))] == []
    known = (*others.AS_PRINTED, *others.TYPED, *others.ELSEWHERE)
    assert [key for key in known if not any(text.startswith(key) for text in OTHERS)] == []


def test_tests_that_run_a_command_elsewhere_exist() -> None:
    said = [*ELSEWHERE.values(), *others.ELSEWHERE.values(), *others.PYTHON.values()]
    named = [name for text in said for name in re.findall(r"tests/[\w./]*\w", text)]
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert len(named) > 20


def test_what_runs_elsewhere_is_documented() -> None:
    assert all(any(word in text for text in COMMANDS) for word in ELSEWHERE)
