"""How tests are shared out among processes that run beside each other."""

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

#: Folders whose files share a fixture that takes long to make: a cluster, a project with results.
TOGETHER = ("tests/archive", "tests/cluster", "tests/reading")


class Shares(LoadFileScheduling):
    """One process runs the tests of a file, or of a folder of `TOGETHER`."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return next((folder for folder in TOGETHER if file.startswith(f"{folder}/")), file)

    def remove_node(self, node: WorkerController) -> str | None:
        """Leave out the test during which a process broke down; the others of its file run.

        xdist would run it again in the next process, which breaks down as well, and so on.
        """
        work = self.assigned_work.get(node, {})
        left = ((unit, test) for unit in work.values() for test, done in unit.items() if not done)
        unit, crashed = next(left, ({}, None))
        if crashed is not None:
            unit[crashed] = True
        super().remove_node(node)
        return crashed
