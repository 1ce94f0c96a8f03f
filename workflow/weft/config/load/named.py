"""Which experiment files a command means: those that it names, all, or the usual ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from weft.config.compose.composition import experiment_files
from weft.config.compose.experiment_list import listed, misplaced_file
from weft.config.language.errors import ConfigError, ConfigErrors, Problem, unknown
from weft.config.language.yaml_files import placed, read_raw, read_text, shown_path


def default_experiments(configs_dir: Path) -> list[str]:
    """Names under `experiments` in `config.yaml`.

    Raises ConfigErrors when the file cannot be read or the list names none of the experiments.
    """
    shown = shown_path(configs_dir, configs_dir / "config.yaml")
    raw = read_raw(configs_dir / "config.yaml", shown)
    if isinstance(raw, ConfigError):
        raise ConfigErrors([raw])
    text, names = read_text(configs_dir / "config.yaml"), raw.get("experiments", [])
    if not isinstance(names, list):
        raise ConfigErrors(
            placed([Problem("experiments", "expected a list of names")], text, shown)
        )
    known = experiment_files(configs_dir)
    wrong = [str(name) for name in names if name not in known]
    if wrong:
        missing = [Problem("experiments", unknown("experiment", name, known)) for name in wrong]
        raise ConfigErrors(placed(missing, text, shown))
    return [str(name) for name in names]


def chosen_files(
    folders: Sequence[Path],
    names: Sequence[str] | None,
    overrides: Mapping[str, Sequence[str]],
) -> tuple[list[Path], list[ConfigError]]:
    """The files of experiments, and what keeps some of them from being one; `names` None means
    all."""
    known = experiment_files(*folders)
    folder = " and ".join(shown_path(folders[0], each / "experiment") for each in folders)
    asked = list(dict.fromkeys([*(sorted(known) if names is None else names)]))
    wrong = listed(*folders).wrong
    errors = [
        wrong.get(name)
        or misplaced_file(folders[0], name)
        or ConfigError(folder, "", unknown("experiment", name, known))
        for name in dict.fromkeys([*asked, *overrides])
        if name not in known
    ]
    if names is None:
        errors += wrong.values()
    for name in asked:
        if len(known.get(name, [])) > 1:
            both = " and ".join(path.name for path in known[name])
            message = f"{both} are two experiments with the same name '{name}'; rename one"
            errors.append(ConfigError(folder, "", message))
    return [known[name][0] for name in asked if len(known.get(name, [])) == 1], errors
