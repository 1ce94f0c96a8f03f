"""How tests are shared out among processes that run beside each other."""

from xdist.scheduler import LoadFileScheduling

#: Folders whose files share a fixture that takes long to make: a cluster, a project with results.
TOGETHER = ("tests/archive", "tests/cluster", "tests/reading")


class Shares(LoadFileScheduling):
    """One process runs the tests of a file, or of a folder of `TOGETHER`."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return next((folder for folder in TOGETHER if file.startswith(f"{folder}/")), file)
