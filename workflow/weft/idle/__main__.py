"""`python -m weft.idle <project> results/<experiment>`: what a job that measures starts on a node
that is idle."""

import os
import sys
from pathlib import Path

from weft.engines.hardware.idle_nodes import OTHERS_AT_WORK
from weft.files.layout import ExperimentFolder
from weft.idle.simulations import simulate

if __name__ == "__main__":
    project, experiment = map(Path, sys.argv[1:])
    # Some launchers start programs in another folder.
    os.chdir(project)
    sys.exit(0 if simulate(ExperimentFolder(experiment)) else OTHERS_AT_WORK)
