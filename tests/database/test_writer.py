"""What counts as other code, whose rows a collection writes anew."""

import shutil

import pytest
from weft.database.writer import writer
from weft.tables import schemas

#: Without what the process remembers.
found = writer.__wrapped__


@pytest.fixture
def schemas_file(tmp_path, monkeypatch):
    """A copy of the schemas that a test may change."""
    copy = tmp_path / "schemas.py"
    shutil.copy(schemas.__file__, copy)
    monkeypatch.setattr(schemas, "__file__", str(copy))
    return copy


def test_a_comment_and_a_docstring_are_no_other_code(schemas_file):
    before = found()
    text = schemas_file.read_text()
    schemas_file.write_text(text.replace('"""', '"""Now: ', 1) + "# The end.\n")
    assert found() == before


def test_another_number_is_other_code(schemas_file):
    before = found()
    schemas_file.write_text(schemas_file.read_text() + "COLUMNS = 3\n")
    assert found() != before
