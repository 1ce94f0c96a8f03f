"""Experiment files: models, composition, checks, and errors that name file and key."""

from weft.config.errors import ConfigError, ConfigErrors
from weft.config.experiment import Experiment
from weft.config.load import default_experiments, load_experiments
from weft.config.others import other_mistakes, papers

__all__ = [
    "ConfigError",
    "ConfigErrors",
    "Experiment",
    "default_experiments",
    "load_experiments",
    "other_mistakes",
    "papers",
]
