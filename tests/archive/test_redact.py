"""What archives do not say: folders, and on request hosts, accounts and commands."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pyarrow.parquet as pq
import pytest
from weft.archive.read import open_archive
from weft.archive.redact import without_folders

from .conftest import ACCOUNT, HOST, NAME, Made

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def anonymous(made_once: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once.pack(tmp_path_factory.mktemp("out") / f"{NAME}.zip", anonymous=True)


def contents(archive: Path) -> dict[str, bytes]:
    """Every file as text, tables unpacked."""
    found = {}
    with ZipFile(archive) as zipped:
        for name in zipped.namelist():
            content = zipped.read(name)
            if name.endswith(".parquet"):
                content = str(pq.read_table(BytesIO(content)).to_pylist()).encode()
            found[name] = content
    return found


def naming(archive: Path, word: str) -> set[str]:
    files = {name for name, text in contents(archive).items() if word.encode() in text}
    return {name for name in files if name.startswith(("results/", "reports/", "configs/", "prov"))}


@pytest.mark.parametrize("word", [HOST, ACCOUNT, "machine.account", "programs/pingpong"])
def test_it_names_neither_host_nor_account_nor_command(
    made_once: Made, anonymous: Path, word: str
) -> None:
    assert naming(made_once.archive, word)
    assert naming(anonymous, word) == set()


@pytest.mark.parametrize("folder", ["home", "project"])
def test_no_archive_names_the_folders_of_its_user(
    made_once: Made, anonymous: Path, folder: str
) -> None:
    word = str(Path.home() / "programs" if folder == "home" else made_once.project.root)
    assert any(word in path.read_text() for path in made_once.folder.path.rglob("*.[lj]*"))
    assert naming(made_once.archive, word) == set()
    assert naming(anonymous, word) == set()


def test_a_folder_that_only_begins_like_the_users_stays() -> None:
    home = Path.home()
    text = f"{home}/a {home}x/b '{home}' {home}.old"
    assert without_folders(text, Path("/elsewhere")) == f"~/a {home}x/b '~' {home}.old"


def test_no_machine_file_is_in_it(anonymous: Path) -> None:
    assert not [name for name in contents(anonymous) if name.startswith("configs/machine/")]


def test_hosts_have_numbers(anonymous: Path) -> None:
    assert naming(anonymous, "host-1")


def test_its_figures_are_the_same(made_once: Made, anonymous: Path) -> None:
    def figures(archive: Path) -> dict[str, bytes]:
        return {n: text for n, text in contents(archive).items() if n.startswith("figures/")}

    assert figures(anonymous) == figures(made_once.archive)


def test_it_is_whole_and_says_what_it_is(anonymous: Path) -> None:
    with open_archive(anonymous) as archive:
        assert archive.head.anonymous
