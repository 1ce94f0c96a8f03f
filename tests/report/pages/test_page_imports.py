"""What writing a page imports: every experiment of a campaign pays for it again."""

import subprocess
import sys

#: What only few pages need, and what takes longer to import than most pages to write.
RARE = ("scipy.stats", "scipy.signal", "scipy.ndimage", "scipy.optimize")


def test_a_page_loads_no_statistics_that_few_pages_need() -> None:
    code = (
        "import sys, weft.report.pages.build\n"
        f"print(*[name for name in {RARE} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
