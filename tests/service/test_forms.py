"""Forms are made from the models that check experiment files."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

pytest.importorskip("django")

from weft.config import ConfigErrors
from weft.service.forms.fields import read_form
from weft.service.forms.filled import by_field, filled
from weft.service.forms.template import template_names
from weft.service.tasks.check import Mistake, checked

ROOT = Path(__file__).parents[2]
CONFIGS = ROOT / "configs"


def posted(form, **changes):
    found = {each.key: each.initial for each in form.fields()}
    return {**found, **{key: [text] for key, text in changes.items()}}


@pytest.fixture
def configs(tmp_path):
    shutil.copytree(CONFIGS, tmp_path / "configs")
    return tmp_path / "configs"


@pytest.mark.parametrize("name", template_names(CONFIGS / "service"))
def test_what_a_form_starts_with_is_an_experiment(name):
    form = read_form(CONFIGS, name)
    found = filled(form, posted(form), {})
    known = checked("mine", found.experiment_yaml, found.files)
    assert [*found.mistakes, *known.mistakes] == []
    assert known.points == len(known.engines)


def test_an_option_that_an_engine_gets_is_on_the_form(configs):
    # The declaration of another program: weft's own are part of its catalogue.
    about = {"description": "A window.", "type": "integer", "minimum": 3, "default": 7}
    engine = {"description": "Mine.", "program": "command", "answers": ["program"]}
    text = json.dumps({**engine, "options": {"window": about}})
    (configs / "engine" / "mine.yaml").write_text(text)
    path = configs / "service" / "rdma.yaml"
    path.write_text(path.read_text().replace("engine.rdma.*", "engine.mine.*"))
    (field,) = [f for f in read_form(configs, "rdma").fields() if f.key == "engine.mine.window"]
    assert (field.help, field.default) == ("A window.", "7")
    assert field.allowed == "whole number, at least 3"


def test_a_template_with_a_wrong_key_is_refused_with_its_line(configs):
    path = configs / "service" / "flow.yaml"
    path.write_text(path.read_text().replace("workload.per_node", "workload.per_nod"))
    with pytest.raises(ConfigErrors) as caught:
        read_form(configs, "flow")
    text = str(caught.value)
    assert "configs/service/flow.yaml:11:" in text
    assert "unknown key 'workload.per_nod'; did you mean 'workload.per_node'?" in text


def test_a_mistake_stands_beside_its_field_in_the_words_of_the_command_line():
    form = read_form(CONFIGS, "rdma")
    values = posted(form, **{"engine.rdma.ranks_per_node": "0", "network.bandwidth": "4"})
    known = checked("mine", filled(form, values, {}).experiment_yaml, {})
    beside = by_field(form, known.mistakes)
    assert any("with its unit, like '4 GB/s'" in text for text in beside["network.bandwidth"])


def test_own_messages_take_the_place_of_a_pattern():
    form = read_form(CONFIGS, "flow")
    own = {"workload.file": ("mine.csv", b"src,dst,bytes\n0,1,8\n")}
    found = filled(form, posted(form), own)
    written = yaml.safe_load(found.experiment_yaml)
    assert written["workload"] == {"file": "uploads/mine.csv"}
    assert {"override /workload": "trace"} in written["defaults"]
    assert checked("mine", found.experiment_yaml, found.files).mistakes == ()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [("mine.exe", b"x", "allowed: .csv, .parquet"), ("mine.csv", b"", "the file is empty")],
)
def test_a_file_that_cannot_be_used_is_refused_beside_its_field(name, content, said):
    form = read_form(CONFIGS, "flow")
    found = filled(form, posted(form), {"workload.file": (name, content)})
    (text,) = by_field(form, found.mistakes)["workload.file"]
    assert said in text


def test_aliases_in_a_field_do_not_reach_the_experiment():
    form = read_form(CONFIGS, "flow")
    found = filled(form, posted(form, **{"workload.per_node": "[&a [1], *a, *a]"}), {})
    assert "*" not in found.experiment_yaml
    assert checked("mine", found.experiment_yaml, {}).mistakes


def test_a_mistake_of_no_field_is_shown_with_its_key():
    form = read_form(CONFIGS, "flow")
    assert by_field(form, [Mistake("title", "too long")]) == {"": ["title: too long"]}


def test_a_key_that_several_topologies_have_is_explained_for_each():
    (field,) = [f for f in read_form(CONFIGS, "flow").fields() if f.key == "topology.k"]
    assert "mesh, torus: Nodes along every dimension." in field.help
    assert "fat_tree: Down links of each switch." in field.help


def test_what_is_allowed_names_each_kind_of_value_once():
    form = read_form(CONFIGS, "flow")
    (field,) = [f for f in form.fields() if f.key == "workload.message_size"]
    assert field.allowed == "like 2 KiB or list of like 2 KiB or range"
