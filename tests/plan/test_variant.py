"""Names of experiments under overrides."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weft.plan.variant import SUFFIX, Changes, base_name, read_changes, variant_name, write_changes


def test_without_changes_an_experiment_keeps_its_name():
    assert variant_name("tori") == "tori"


def test_an_override_is_part_of_the_name():
    assert variant_name("tori", ["topology.k=4", "seed=3"]) == "tori@topology.k=4+seed=3"


def test_the_machine_makes_no_variant():
    assert variant_name("tori", ["machine=mine", "machine.mode=native"]) == "tori"


def test_a_run_and_the_short_form_come_first():
    assert Changes(("seed=3",), "before", quick=True).name("tori") == "tori@before+quick+seed=3"


@pytest.mark.parametrize("run", ["a b", "", "../x", "é"])
def test_a_run_is_named_so_that_a_file_can_have_the_name(run):
    with pytest.raises(ValueError, match="use letters, digits"):
        variant_name("tori", (), [run])


def test_a_run_of_a_long_name_is_refused():
    assert variant_name("tori", (), ["a" * 40])
    with pytest.raises(ValueError, match="use at most 40 characters"):
        variant_name("tori", (), ["a" * 41])


@pytest.mark.slow
@given(st.lists(st.text(min_size=1).map("k={}".format), min_size=1))
def test_any_override_gives_a_name_for_a_file_and_the_same_each_time(overrides):
    name = variant_name("tori", overrides)
    assert re.fullmatch(rf"tori@{SUFFIX}", name)
    assert len(name) < 80
    assert name == variant_name("tori", overrides)
    assert base_name(name) == "tori"


@given(st.text(), st.text())
def test_different_overrides_have_different_names(one, other):
    names = {variant_name("tori", [f"title={text}"]) for text in (one, other)}
    assert len(names) == len({one, other})


def test_what_was_changed_is_remembered_beside_the_plan(tmp_path):
    changes = Changes(("topology.k=4",), "before", quick=True)
    write_changes(changes, tmp_path)
    assert read_changes(tmp_path) == changes
    assert read_changes(tmp_path / "none") is None
