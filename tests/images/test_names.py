"""An image is named by what it is made of."""

import os
import shutil
import threading
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from weft.images import ImageError, has_definition, image_file
from weft.images.definition import names, read_definition
from weft.images.digest import input_files
from weft.images.packages import images_to_lock
from weft.images.record import KEYS, differences, write_lock

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with an image `tool` and an image `app` that starts from it."""
    files = {
        "containers/tool.def": "Bootstrap: debootstrap\nMirrorURL: {{ mirror }}\n%files\n"
        "    envs/tool.apt.lock /weft/apt.lock\n%post\n    true\n",
        "containers/app.def": "Bootstrap: localimage\nFrom: {{ tool }}\nStage: builder\n"
        "%files\n    app /src\n    containers/vendor/app /vendor\n"
        "Bootstrap: scratch\nStage: final\n%files from builder\n    /out /\n",
        "envs/tool.apt.lock": "gcc=1\n",
        "app/src/main.rs": "fn main() {}\n",
        "app/Cargo.lock": "version = 4\n",
        "app/tests/it.rs": "",
        "app/target/debug": "",
        "app/.hidden": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_everything_follows_from_the_definition(project: Path) -> None:
    app = read_definition("app", project)
    assert app.parents == ("tool",)
    assert app.inputs == ("app", "containers/vendor/app")
    assert not app.needs_mirror
    tool = read_definition("tool", project)
    assert (tool.parents, tool.lock, tool.needs_mirror) == ((), "envs/tool.apt.lock", True)


def test_inputs_leave_out_tests_hidden_files_and_what_was_built(project: Path) -> None:
    found = input_files(read_definition("app", project), project)
    assert found == [Path("app/Cargo.lock"), Path("app/src/main.rs")]


@pytest.mark.parametrize(
    "changed",
    [
        "containers/app.def",
        "containers/tool.def",
        "envs/tool.apt.lock",
        "app/src/main.rs",
        "app/Cargo.lock",
    ],
)
def test_changed_content_is_another_image(project: Path, changed: str) -> None:
    before = image_file("app", project)
    with (project / changed).open("a") as file:
        file.write("# changed\n")
    assert image_file("app", project) != before


def test_a_renamed_or_new_input_is_another_image(project: Path) -> None:
    seen = {image_file("app", project)}
    (project / "app/src/main.rs").rename(project / "app/src/other.rs")
    seen.add(image_file("app", project))
    (project / "app/src/more.rs").touch()
    seen.add(image_file("app", project))
    assert len(seen) == 3


def test_a_touched_file_is_the_same_image(project: Path) -> None:
    before = image_file("app", project)
    for path in project.rglob("*"):
        os.utime(path, (1, 1))
    assert image_file("app", project) == before


@pytest.mark.parametrize("changed", ["app/tests/it.rs", "app/target/debug", "app/.hidden"])
def test_what_is_no_input_changes_no_name(project: Path, changed: str) -> None:
    before = image_file("app", project)
    (project / changed).write_text("changed")
    assert image_file("app", project) == before


@pytest.mark.slow
def test_a_build_beside_changes_no_name(project: Path) -> None:
    before = image_file("app", project)
    ended = threading.Event()

    def build() -> None:
        while not ended.is_set():
            (project / "app/target/release/deps").mkdir(parents=True)
            shutil.rmtree(project / "app/target/release")

    (project / "app/target/debug").unlink()
    (project / "app/target").rmdir()
    with ThreadPoolExecutor() as beside:
        building = beside.submit(build)
        try:
            assert {image_file("app", project) for _ in range(500)} == {before}
        finally:
            ended.set()
        building.result()


def test_the_folder_of_the_project_does_not_matter(project: Path, tmp_path: Path) -> None:
    shutil.copytree(project, tmp_path / "copy")
    assert image_file("app", tmp_path / "copy").name == image_file("app", project).name


def test_an_unknown_image_names_the_nearest(project: Path) -> None:
    with pytest.raises(ImageError, match=r"unknown image 'ap'; did you mean 'app'\?"):
        image_file("ap", project)
    assert has_definition("app", project)
    assert not has_definition("ap", project)


def test_an_unknown_parent_names_the_nearest(project: Path) -> None:
    path = project / "containers/app.def"
    path.write_text(path.read_text().replace("{{ tool }}", "{{ tol }}"))
    expected = r"containers/app\.def: unknown build argument 'tol'; did you mean 'tool'\?"
    with pytest.raises(ImageError, match=expected):
        image_file("app", project)


def test_a_missing_input_names_definition_and_path(project: Path) -> None:
    shutil.rmtree(project / "app")
    with pytest.raises(ImageError, match=r"containers/app\.def: %files: there is no 'app'"):
        image_file("app", project)


def test_an_image_cannot_start_from_itself(project: Path) -> None:
    (project / "containers/tool.def").write_text("Bootstrap: localimage\nFrom: {{ app }}\n")
    with pytest.raises(ImageError, match="starts from itself"):
        image_file("app", project)


def test_all_locks_are_written_anew_unless_some_are_empty(project: Path) -> None:
    (project / "containers/more.def").write_text(
        "Bootstrap: localimage\nFrom: {{ tool }}\n%files\n    envs/more.apt.lock /weft/apt.lock\n"
    )
    lock = project / "envs/more.apt.lock"
    lock.write_text("gcc=1\nmore=2\n")
    assert images_to_lock(project) == ["more", "tool"]
    lock.write_text("# no package yet\n")
    assert images_to_lock(project) == ["more"]


def test_an_empty_lock_concerns_the_images_that_start_from_it(project: Path) -> None:
    (project / "containers/more.def").write_text(
        "Bootstrap: localimage\nFrom: {{ tool }}\n%files\n    envs/more.apt.lock /weft/apt.lock\n"
    )
    (project / "envs/more.apt.lock").write_text("gcc=1\nmore=2\n")
    (project / "envs/tool.apt.lock").write_text("")
    assert images_to_lock(project) == ["more", "tool"]


@pytest.mark.parametrize("name", names(ROOT))
def test_shipped_definitions_can_be_named(name: str) -> None:
    assert image_file(name).parent == ROOT / "containers" / "images"


@pytest.mark.parametrize("name", names(ROOT))
def test_shipped_definitions_fix_their_build_date(name: str) -> None:
    assert "org.label-schema.build-date 2026-01-01" in read_definition(name).text


def test_the_record_of_images_names_those_of_these_sources() -> None:
    recorded = tomllib.loads((ROOT / "containers" / "images.lock").read_text())
    wanted = {name: image_file(name).name for name in names()}
    recorded_names = {name: each["image"] for name, each in recorded.items()}
    assert recorded_names == wanted, (
        "run `snakemake containers lock_images`, commit containers/images.lock"
    )


def test_the_record_keeps_images_that_are_not_here(project: Path) -> None:
    facts = dict.fromkeys(KEYS, "known elsewhere")
    lines = []
    for name in ("tool", "app"):
        facts["image"] = image_file(name, project).name if name == "tool" else "app-of-old.sif"
        lines += [f"[{name}]", *(f'{key} = "{value}"' for key, value in facts.items())]
    path = project / "containers" / "images.lock"
    path.write_text("\n".join(lines))
    write_lock(project)
    recorded = tomllib.loads(path.read_text())
    assert list(recorded) == ["tool"]
    assert recorded["tool"]["squashfs_sha256"] == "known elsewhere"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"<<<<<<< HEAD\n[tool]\n", "Invalid statement (at line 1, column 1)"),
        (b'tool = "x"\n', "tool has no text for image, definition_sha256"),
        (b"[tool]\nimage = 3\n", "tool has no text for image, definition_sha256"),
        (b"\xff\n", "can't decode byte 0xff"),
    ],
)
def test_a_record_that_a_merge_or_a_hand_has_broken_is_refused(
    project: Path, text: bytes, words: str
) -> None:
    path = project / "containers" / "images.lock"
    path.write_bytes(text)
    for read in (write_lock, differences):
        with pytest.raises(ImageError) as caught:
            read(project)
        assert words in str(caught.value)
        assert "git checkout HEAD -- containers/images.lock" in str(caught.value)
    assert path.read_bytes() == text
