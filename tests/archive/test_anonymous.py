"""Archives without hosts, accounts and folders."""

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pyarrow.parquet as pq
import pytest
from weft.archive.read import open_archive

from .conftest import ACCOUNT, HOST, NAME, Made


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


@pytest.mark.parametrize("word", [HOST, ACCOUNT, str(Path.home() / "bin"), "machine.account"])
def test_it_names_neither_host_nor_account_nor_folder(
    made_once: Made, anonymous: Path, word: str
) -> None:
    assert naming(made_once.archive, word)
    assert naming(anonymous, word) == set()


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
