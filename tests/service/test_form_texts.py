"""What a form says of its fields, in the words of the models that check experiment files."""

import pytest
import yaml

pytest.importorskip("django")

from weft.service.forms.fields import read_form
from weft.service.forms.filled import filled
from weft.service.forms.template import template_names
from weft.service.tasks.check import checked

from tests.service.test_forms import CONFIGS, posted


def test_a_key_that_several_topologies_have_is_explained_for_each():
    (field,) = [f for f in read_form(CONFIGS, "flow").fields() if f.key == "topology.k"]
    assert "mesh, torus: Nodes along every dimension." in field.help
    assert "fat_tree: Down links of each switch." in field.help


def test_a_key_is_explained_for_the_topologies_of_the_form_alone():
    (field,) = [f for f in read_form(CONFIGS, "mfs_table1").fields() if f.key == "topology.k"]
    assert field.help == "Down links of each switch."


@pytest.mark.parametrize(
    ("name", "key", "said"),
    [
        ("flow", "workload.message_size",
         "an amount with its unit, several with commas or a range, "
         "such as 2 KiB or {from: 2 KiB, to: 16 KiB, factor: 2}; the default is 1 KiB"),
        ("flow", "workload.per_node", "a whole number from 1 to 4,294,967,295; the default is 10"),
        ("flow", "topology.sizes", "whole numbers from 2 to 16,777,216 with commas, such as 2, 4; "
         "leave it empty to keep that of the chosen topology"),
        ("packet", "engine.packet.zero_copy_limit",
         "an amount with its unit or null, such as 2 KiB; the default is null"),
        ("packet", "engine.packet.class_latency_cycles",
         "a whole number from 1 to 100,000 for each name, such as {name: 10}; it may stay empty"),
        ("packet", "workload.injection_rate", "a number above 0 and at most 1; the default is 0.1"),
        ("flow", "replicates", "a whole number of at least 1 or one for each name, "
         "such as 1 or {name: 10}; the default is 1"),
        ("rdma", "workload.ranks", "a whole number of at least 1; the default is 16"),
    ],
)  # fmt: skip
def test_a_sentence_says_what_may_be_entered(name, key, said):
    (field,) = [f for f in read_form(CONFIGS, name).fields() if f.key == key]
    assert field.entry == f"Enter {said}."


@pytest.mark.parametrize("name", template_names(CONFIGS / "service"))
def test_every_field_says_in_a_sentence_what_it_takes(name):
    for field in read_form(CONFIGS, name).fields():
        settings = field.shown.own is not None and field.shown.own.settings
        sentence = field.entry.startswith("Enter ") and field.entry.endswith(".")
        assert sentence or field.choices or settings, field.key
        for odd in ("like ", "any value", "section", "\n", "`"):
            assert odd not in field.entry, (field.key, field.entry)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("workload.message_size", "{from: 2 KiB, to: 16 KiB, factor: 2}",
         {"from": "2 KiB", "to": "16 KiB", "factor": 2}),
        ("replicates", "{flow: 3}", {"flow": 3}),
    ],
)  # fmt: skip
def test_what_the_sentence_shows_is_taken(key, text, value):
    form = read_form(CONFIGS, "flow")
    found = filled(form, posted(form, **{key: text}), {})
    section = yaml.safe_load(found.experiment_yaml)
    for step in key.split("."):
        section = section[step]
    assert section == value
    assert checked("mine", found.experiment_yaml, {}).mistakes == ()
