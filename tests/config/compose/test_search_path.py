"""A folder of one's own outside the clone: experiments and groups beside those of weft."""

import pytest
from weft.config import ConfigErrors, load_experiments
from weft.prepare.request.request import read_request

HEAD = "title: Mine\nquestion: Q?\nengines: [flow]\n"


@pytest.fixture
def mine(tmp_path_factory):
    folder = tmp_path_factory.mktemp("o'ther place") / "mine"
    for name in ("experiment", "topology"):
        (folder / name).mkdir(parents=True)
    return folder


def load(tree, *folders, names=None):
    return load_experiments(tree.configs, names, search_path=folders)


def error(tree, *folders):
    with pytest.raises(ConfigErrors) as caught:
        load(tree, *folders)
    (only,) = caught.value.errors
    return only


def test_an_experiment_of_ones_own_starts_from_groups_and_experiments_of_both(tree, mine):
    tree.experiment("seed: 5\n", "theirs")
    (mine / "topology" / "small.yaml").write_text("defaults: [crossbar]\nnodes: 3\n")
    (mine / "experiment" / "own.yaml").write_text(
        HEAD + "defaults: [theirs, override /topology: small, override /workload: pingpong]\n"
    )
    own, theirs = load(tree, mine)
    assert (own.name, theirs.name) == ("own", "theirs")
    assert (own.settings.title, own.settings.seed) == ("Mine", 5)
    assert own.base({})[1]["topology"] == {"kind": "crossbar", "nodes": 3}


def test_a_group_of_ones_own_is_chosen_by_an_override_and_swept(tree, mine):
    (mine / "topology" / "small.yaml").write_text("kind: crossbar\nnodes: 3\n")
    tree.experiment("")
    (found,) = load_experiments(tree.configs, ["x"], {"x": ["topology=small,crossbar"]}, [mine])[:1]
    assert found.base({"topology": "small"})[1]["topology"]["nodes"] == 3


def test_a_mistake_names_the_whole_path_and_the_line(tree, mine):
    file = mine / "experiment" / "own.yaml"
    file.write_text(HEAD + "topology: {nods: 3}\n")
    assert str(error(tree, mine)).startswith(f"{file}:4:12: topology.nods: unknown key")


@pytest.mark.parametrize("name", ["experiment/x.yaml", "experiment/x.yml", "topology/torus.yaml"])
def test_two_files_of_one_name_are_a_mistake(tree, mine, name):
    tree.experiment("")
    (mine / name).write_text(HEAD)
    found = error(tree, mine)
    assert found.file == "--config search_path"
    assert f"{mine / name} have the same name; rename one" in found.message


def test_a_workspace_inside_the_folder_hides_no_clash(tree, mine):
    workspace = mine / ".weft"
    workspace.mkdir()
    (workspace / "configs").symlink_to(tree.configs)
    (mine / "topology" / "torus.yaml").write_text("kind: torus\nk: 7\n")
    with pytest.raises(ConfigErrors, match=r"torus.yaml have the same name; rename one"):
        load_experiments(workspace / "configs", search_path=[mine])


def test_a_folder_that_is_not_there_is_named(tree, mine):
    assert error(tree, mine / "nope").message == f"there is no folder {mine / 'nope'}"


def test_a_folder_without_experiments_and_groups_is_named(tree, mine):
    assert "has none of the folders experiment/, topology/" in error(tree, mine.parent).message


def test_engines_are_not_looked_for_there(tree, mine):
    (mine / "engine").mkdir()
    assert "would not be read" in error(tree, mine).message


def test_a_folder_named_twice_is_one(tree, mine):
    (mine / "experiment" / "own.yaml").write_text(HEAD)
    (found,) = load(tree, mine, mine)
    assert found.name == "own"


@pytest.mark.parametrize(
    ("written", "found"), [("/a", ["/a"]), (["/a", "b c"], ["/a", "b c"]), (None, [])]
)
def test_the_command_line_names_one_folder_or_several(written, found):
    assert [str(each) for each in read_request({"search_path": written}, []).search_path] == found
