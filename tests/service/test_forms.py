"""Forms are made from the models that check experiment files."""

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

pytest.importorskip("django")

from weft.config import ConfigErrors
from weft.service.forms.fields import read_form
from weft.service.forms.filled import OWN, READY, by_field, filled, mode_name
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
    assert field.entry == "Enter a whole number of at least 3; the default is 7."


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


def test_sizes_beside_a_k_are_a_mistake_of_the_sizes():
    form = read_form(CONFIGS, "packet")
    found = filled(form, posted(form, **{"topology.sizes": "4, 8"}), {})
    known = checked("mine", found.experiment_yaml, found.files)
    assert list(by_field(form, known.mistakes)) == ["topology.sizes"]


def test_own_messages_take_the_place_of_a_pattern():
    form = read_form(CONFIGS, "flow")
    own = {"workload.file": [("mine.csv", b"src,dst,bytes\n0,1,8\n")]}
    found = filled(form, posted(form), own)
    written = yaml.safe_load(found.experiment_yaml)
    assert written["workload"] == {"pattern": "file", "file": "uploads/mine.csv"}
    assert {"override /workload": "trace"} in written["defaults"]
    assert checked("mine", found.experiment_yaml, found.files).mistakes == ()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("mine.exe", b"x", "allowed: .csv, .parquet"),
        ("mine.csv", b"", "the file 'mine.csv' is empty"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_beside_its_field(name, content, said):
    form = read_form(CONFIGS, "flow")
    found = filled(form, posted(form), {"workload.file": [(name, content)]})
    (text,) = by_field(form, found.mistakes, found.places)["workload.file.own"]
    assert said in text


def test_aliases_in_a_field_do_not_reach_the_experiment():
    form = read_form(CONFIGS, "flow")
    found = filled(form, posted(form, **{"workload.per_node": "[&a [1], *a, *a]"}), {})
    assert "*a" in found.experiment_yaml
    known = checked("mine", found.experiment_yaml, {})
    assert "workload.per_node" in by_field(form, known.mistakes)


def test_a_field_does_not_grow_by_aliases():
    form = read_form(CONFIGS, "flow")
    # Each level is ten of the one before it: 21 of them fit into a field.
    levels = [f"&a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 4)]
    text = f"[&a0 [{', '.join('1' * 10)}], {', '.join(levels)}]"
    found = filled(form, posted(form, **{"topology.sizes": text}), {})
    assert len(found.experiment_yaml) < 10_000


def test_a_mistake_of_no_field_is_shown_with_its_key():
    form = read_form(CONFIGS, "flow")
    assert by_field(form, [Mistake("title", "too long")]) == {"": ["title: too long"]}


def beside(form, found):
    """Mistakes of a filled form by their place, those of the form and those of the command line."""
    known = checked("mine", found.experiment_yaml, found.files)
    return by_field(form, [*found.mistakes, *known.mistakes], found.places)


OWN_FILES = {
    "workload.file": [("mine.csv", b"src,dst,bytes\n0,1,8\n")],
    "topology.file": [("mine.graph.csv", b"from,to\ns0,n0\ns0,n1\n")],
    "network": [("mine.yaml", b"network:\n  bandwidth: 4 GB/s\n  hop_latency: 10 ns\n")],
    "figures": [("mine.yaml", b"- table: {x: message_bytes, y: makespan_s}\n")],
    "engine.flow": [("mine.yaml", b"model: max_min\n")],
}


@pytest.mark.parametrize("key", OWN_FILES)
def test_each_group_takes_a_file_of_ones_own(key):
    form = read_form(CONFIGS, "flow")
    found = filled(form, posted(form), {key: OWN_FILES[key]})
    assert beside(form, found) == {}


def test_settings_of_a_file_take_the_place_of_those_of_the_form():
    form = read_form(CONFIGS, "flow")
    values = posted(form, **{"network.bandwidth": "1 GB/s", "engine.flow.model": "max_min"})
    own = {"network": OWN_FILES["network"], "engine.flow": [("a.yaml", b"model: equal_share\n")]}
    written = yaml.safe_load(filled(form, values, own).experiment_yaml)
    assert written["network"] == {"bandwidth": "4 GB/s", "hop_latency": "10 ns"}
    assert written["engine"]["flow"]["model"] == "equal_share"
    assert {"override /network": "gigabit"} in written["defaults"]


def test_own_settings_of_a_simulator_leave_what_other_groups_say_of_it():
    form = read_form(CONFIGS, "rdma")
    own = {
        "engine.rdma": [("a.yaml", b"eager_limit: 4 KiB\n")],
        "engine.rdma.rank_file": [("ranks.csv", b"rank,node\n0,1\n")],
    }
    written = yaml.safe_load(filled(form, posted(form), own).experiment_yaml)
    assert written["engine"]["rdma"] == {
        "rank_to_node": "file",
        "rank_file": "uploads/ranks.csv",
        "tables": ["series"],
        "eager_limit": "4 KiB",
    }


def test_a_mistake_in_a_file_stands_beside_the_file_with_its_key():
    form = read_form(CONFIGS, "flow")
    own = {"network": [("mine.yaml", b"latenc: 1 us\n")]}
    (text,) = beside(form, filled(form, posted(form), own))["network.own"]
    assert text.startswith("network.latenc: unknown key")
    assert "did you mean 'latency'?" in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a: [", "expected the node content"),
        (b"\xff", "the file is not UTF-8"),
        (b"a: &b [1]\nc: *b\n", "aliases are not allowed here"),
        (b"- 1\n", "the file holds no settings; give 'network:' and keys below it"),
        (b"x: 1\n" * 30_000, "at most 100,000 bytes"),
        (b"[" * 90_000, "sections are nested more than"),
    ],
)
def test_a_file_with_no_settings_is_refused_beside_its_field(content, said):
    form = read_form(CONFIGS, "flow")
    found = filled(form, posted(form), {"network": [("mine.yaml", content)]})
    (text,) = by_field(form, found.mistakes, found.places)["network.own"]
    assert said in text


def test_files_of_a_group_that_is_ready_made_do_not_count():
    form = read_form(CONFIGS, "flow")
    ready = posted(form, **{mode_name("program"): READY})
    own = {"workload.file": OWN_FILES["workload.file"]}
    assert filled(form, ready, own) == filled(form, posted(form), {})


def test_a_group_of_ones_own_asks_for_a_file():
    form = read_form(CONFIGS, "flow")
    found = filled(form, posted(form, **{mode_name("interconnect"): OWN}), {})
    said = by_field(form, found.mistakes, found.places)
    assert said == {"topology.file.own": ["choose a file, or choose 'ready-made' above"]}


@pytest.mark.parametrize("topology", ["crossbar", "fat_tree"])
def test_what_the_form_itself_wrote_for_another_topology_is_left_out(topology):
    form = read_form(CONFIGS, "flow")
    written = yaml.safe_load(filled(form, posted(form, topology=topology), {}).experiment_yaml)
    assert set(written.get("topology", {})) == ({"k"} if topology == "fat_tree" else set())
    sized = posted(form, topology=topology, **{"topology.sizes": "4, 4"})
    assert "topology.sizes" in beside(form, filled(form, sized, {}))


def test_a_figure_brings_the_table_that_it_shows():
    form = read_form(CONFIGS, "rdma")
    values = posted(form, **{"engine.rdma.tables": "links"})
    values["figures"] = ["link throughput", "congestion ranking"]
    found = filled(form, values, {})
    tables = yaml.safe_load(found.experiment_yaml)["engine"]["rdma"]["tables"]
    assert tables == ["links", "series", "congestion"]
    assert beside(form, found) == {}


@pytest.mark.parametrize("figure", read_form(CONFIGS, "rdma").groups["output"][0].choices)
def test_every_figure_of_the_rdma_form_can_be_drawn(figure):
    form = read_form(CONFIGS, "rdma")
    assert beside(form, filled(form, posted(form, figures=figure), {})) == {}


@pytest.mark.slow
@pytest.mark.parametrize("field", ["workload", "topology"])
def test_every_choice_of_the_rdma_form_runs_or_says_beside_a_field_why_not(field):
    form = read_form(CONFIGS, "rdma")
    (asked,) = [each for each in form.fields() if each.key == field]
    for choice in asked.choices:
        said = beside(form, filled(form, posted(form, **{field: choice}), {}))
        assert not said.get(""), choice
        if field == "workload":
            # A program that takes no 16 ranks says so, and how many it takes.
            for text in said.get("workload.ranks", ()):
                (nearest,) = re.findall(r"nearest is (\d+)", text)
                values = posted(form, **{field: choice, "workload.ranks": nearest})
                said = beside(form, filled(form, values, {}))
            assert said == {}, choice


def test_arguments_are_a_list_however_many_they_are():
    form = read_form(CONFIGS, "rdma")
    for text, found in (("{message_bytes}, 4x4, 2, 0", 4), ("{message_bytes}", 1)):
        values = posted(form, **{"workload": "halo", "workload.arguments": text})
        written = yaml.safe_load(filled(form, values, {}).experiment_yaml)
        assert len(written["workload"]["arguments"]) == found


def test_what_the_simulator_does_anyway_is_not_in_the_experiment():
    form = read_form(CONFIGS, "rdma")
    written = yaml.safe_load(filled(form, posted(form), {}).experiment_yaml)
    assert written["engine"] == {"rdma": {"tables": ["series"]}}


def test_a_choice_that_means_nothing_without_a_file_is_not_offered():
    fields = {each.key: each for each in read_form(CONFIGS, "rdma").fields()}
    assert "graph" not in fields["topology"].choices
    assert "torus" in fields["topology"].choices
    assert "file" not in fields["engine.rdma.rank_to_node"].choices
