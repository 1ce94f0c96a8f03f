"""What scripts, notebooks and the command `weft` read: answers, states and figures."""

from weft.read.answer_table import Answers, answers
from weft.read.chart import figure
from weft.read.errors import ReadError
from weft.read.project import Project
from weft.read.states import ExperimentState, experiments

__all__ = [
    "Answers",
    "ExperimentState",
    "Project",
    "ReadError",
    "answers",
    "experiments",
    "figure",
]
