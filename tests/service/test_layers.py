"""Where the service stands in the package."""

import re

import pytest

from tests.test_house import PACKAGE, imports, modules


@pytest.mark.slow
def test_nothing_imports_the_service() -> None:
    """Whoever only runs experiments has none of its packages."""
    known = modules()
    served = {name for name in known if name.startswith("weft.service")}
    assert not {
        name: found
        for name, path in known.items()
        if name not in served and (found := imports(path, served))
    }


def test_a_worker_needs_no_packages_of_the_server() -> None:
    worker = (PACKAGE / "service").rglob("*.py")
    shared = [path for path in worker if path.parent.name in ("worker", "service")]
    of_server = ("urls", "wsgi", "manage", "settings", "serve", "access")
    wrong = [
        path
        for path in shared
        if path.stem not in of_server and re.search(r"(import|from) django", path.read_text())
    ]
    assert not wrong
