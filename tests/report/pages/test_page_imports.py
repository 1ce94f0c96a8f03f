"""What writing a page imports: every experiment of a campaign pays for it again."""

import subprocess
import sys
from pathlib import Path

import report_samples

#: What only few pages need, and what takes longer to import than most pages to write.
RARE = ("scipy.stats", "scipy.signal", "scipy.ndimage", "scipy.optimize", "scipy.sparse")
#: What reads experiments and folders of tables, of which a page needs neither.
NEEDLESS = ("hydra", "pint", "pyarrow.dataset", "snakemake")

WRITE = f"""
import sys
from pathlib import Path
from weft.report.pages.build import build_report
build_report(*map(Path, sys.argv[1:]))
print(*[name for name in {RARE + NEEDLESS} if name in sys.modules])
"""


def test_a_page_loads_nothing_that_few_pages_need(tmp_path: Path) -> None:
    plan, database = report_samples.quickstart(tmp_path)
    paths = (plan, database, report_samples.CONFIGS, tmp_path / "page.html")
    command = [sys.executable, "-c", WRITE, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_fit_on_a_page_is_not_fitted_again() -> None:
    code = f"import sys, weft.report.kinds.fit\nprint(*[n for n in {RARE} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
