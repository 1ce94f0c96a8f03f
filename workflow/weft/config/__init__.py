"""Experiment files: models, composition, checks, and errors that name file and key."""

from weft.config.language.errors import ConfigError, ConfigErrors
from weft.config.load.loader import load_experiments
from weft.config.load.named import default_experiments
from weft.config.load.quick_look import other_mistakes, papers
from weft.config.model.experiment import Experiment

__all__ = [
    "ConfigError",
    "ConfigErrors",
    "Experiment",
    "default_experiments",
    "load_experiments",
    "other_mistakes",
    "papers",
]
