"""From an experiment file to its sections: what may be chosen, and Hydra's composition of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from weft.config.compose.cache import Cache, Files
from weft.config.compose.experiment_list import listed
from weft.config.compose.machine_keys import may_misplace, misplaced
from weft.config.compose.section_shapes import section_problems
from weft.config.language.errors import ConfigError, Problem, unknown
from weft.config.language.yaml_files import cause, read_raw
from weft.config.model.experiment import GROUPS, POINT_GROUPS
from weft.config.model.kinds import KINDS

#: Folders of the tree that hold no groups to choose from.
NO_GROUPS = frozenset({"engine", "experiment", "paper", "schema"})


class ComposeError(Exception):
    """Nothing can be composed: `problems` of the experiment, or `errors` of files, named by their
    whole paths."""

    def __init__(
        self,
        problems: Sequence[Problem],
        errors: Sequence[ConfigError] = (),
        composed: Composed | None = None,
    ) -> None:
        super().__init__("; ".join([p.message for p in problems] + [e.message for e in errors]))
        self.problems, self.errors = problems, errors
        #: What is there to be checked, but not to be used.
        self.composed = composed


def experiment_files(*folders: Path) -> dict[str, list[Path]]:
    """Files below `experiment/` of the folders by name; more than one of a name is a mistake."""
    return listed(*folders).files


def group_choices(folders: Sequence[Path], group: str) -> list[str]:
    """Names that may be chosen in `group`; the file of metrics is not a choice."""
    names = {path.stem for folder in folders for path in (folder / group).glob("*.yaml")}
    return sorted(names - {"metrics"} if group == "report" else names)


def defaults_problems(folders: Sequence[Path], raw: Mapping[str, object]) -> list[tuple[str, str]]:
    """Every mistake in the `defaults` list; Hydra would report only the first."""
    entries = raw.get("defaults", [])
    if not isinstance(entries, list):
        return [("defaults", "expected a list, like [{override /topology: torus}]")]
    found = []
    for i, entry in enumerate(entries):
        for message in (*_entry_problems(folders, entry), *_left_out(folders, raw, entry)):
            found.append((f"defaults[{i}]", message))
        if isinstance(entry, str) and entry in entries[:i]:
            found.append((f"defaults[{i}]", f"'{entry}' is given twice: keep one of them"))
    return found or list(_out_of_order(entries))


def _out_of_order(entries: Sequence[object]) -> Iterator[tuple[str, str]]:
    """What comes after an override, where Hydra takes overrides only."""
    first: str | None = None
    for i, entry in enumerate(entries):
        written = next(iter(entry)) if isinstance(entry, Mapping) and entry else entry
        if str(written).startswith("override "):
            first = first or str(written)
        elif first is not None and written != "_self_":
            yield f"defaults[{i}]", f"move '{written}' before '{first}': overrides come last"


def _entry_problems(folders: Sequence[Path], entry: object) -> Iterator[str]:
    if isinstance(entry, Mapping):
        for written, choice in entry.items():
            yield from _choice_problems(folders, str(written), choice)
    elif not isinstance(entry, str):
        yield f"expected 'override /topology: …', got {entry!r}"
    elif entry != "_self_":
        yield from _base_problems(folders, entry)


def _base_problems(folders: Sequence[Path], entry: str) -> Iterator[str]:
    """An entry that is one text: an experiment, with or without its folder."""
    group, _, name = entry.partition("@")[0].removeprefix("/").rpartition("/")
    if group in GROUPS:
        yield f"write 'override /{group}: {name}' to choose a {group}"
    elif group in ("", "experiment"):
        known = experiment_files(*folders)
        if name in known and entry.startswith("experiment/"):
            yield f"write '{name}' to start from that experiment"
        elif name not in known:
            yield (
                f"expected 'override /topology: …' or an experiment that this one starts from; "
                f"{unknown('experiment', name, known)}"
            )


def _choice_problems(folders: Sequence[Path], written: str, choice: object) -> Iterator[str]:
    group = _group(written)
    if " " in group:
        yield f"'{written}' is no entry; write 'override /{group.rpartition('/')[2]}: {choice}'"
        return
    own = any((folder / group).is_dir() for folder in folders)
    if group not in GROUPS and (group in NO_GROUPS or not own):
        yield unknown("group", group, GROUPS)
        return
    if group in GROUPS and "@" not in written and not written.startswith("override /"):
        yield f"write 'override /{group}: {choice}' to choose another {group}"
        return
    known = group_choices(folders, group)
    for each in choice if isinstance(choice, list) else [choice]:
        # null chooses nothing. Only choices of groups are known to Hydra here.
        if "${" in str(each):
            yield from _link_problems(folders, group, str(each))
        elif each is not None and str(each) not in known:
            yield unknown(group, str(each), known)


def _link_problems(folders: Sequence[Path], group: str, choice: str) -> Iterator[str]:
    known = [name for name in ("experiment", *GROUPS) if name != group]
    for name in re.findall(r"\$\{([^${}:]*)\}", choice):
        if name not in known and not any((folder / name).is_dir() for folder in folders):
            yield f"${{{name}}} refers to nothing: {unknown('group', name, known)}"


def _entries(raw: Mapping[str, object]) -> list[object]:
    found = raw.get("defaults")
    return found if isinstance(found, list) else []


def _left_out(folders: Sequence[Path], raw: Mapping[str, object], entry: object) -> Iterator[str]:
    """`override /topology: null` in a file that gives no kind of topology in another way."""
    # Another experiment, from which this one starts, may give it.
    if not isinstance(entry, Mapping) or any(isinstance(each, str) for each in _entries(raw)):
        return
    sweep = raw.get("sweep")
    for written, choice in entry.items():
        group = _group(str(written))
        own = raw.get(group)
        given = isinstance(own, Mapping) and "kind" in own
        swept = isinstance(sweep, Mapping) and group in sweep
        if choice in (None, []) and group in KINDS and not given and not swept:
            yield (
                f"null leaves the {group} out: name one, or write its keys as {group}: "
                f"{{kind: …}}; allowed: {', '.join(group_choices(folders, group))}"
            )


def _group(written: str) -> str:
    """`topology` for `override /topology` and for `/topology@network`."""
    plain = re.sub(r"^((override|optional)\s+)*", "", written.strip())
    return plain.partition("@")[0].removeprefix("/")


@dataclass(frozen=True)
class Composed:
    """The composed sections, in which values refer to others, the choice of each group, and the
    files that Hydra looked for."""

    sections: dict[str, Any]
    choices: dict[str, str]
    files: Files = field(default_factory=dict)


@dataclass(frozen=True)
class Composition:
    """What is composed: `choices` of groups are those of a command line or of a sweep, and `lines`
    are overrides as Hydra takes them. `folders` are the tree and those of the search path.

    `without` are wrong entries of its defaults, as keys like `defaults[0]`, that are left out."""

    folders: tuple[Path, ...]
    experiment: str
    choices: Mapping[str, str] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()

    @property
    def configs_dir(self) -> Path:
        """The tree."""
        return self.folders[0]


def compose_experiment(asked: Composition) -> Composed:
    """Compose an experiment and the groups that it chooses.

    Raises ComposeError with all that keeps it from being composed.
    """
    folders = [str(folder) for folder in asked.folders]
    key = [folders, asked.experiment, dict(asked.choices), asked.lines, sorted(asked.without)]
    cache = Cache(asked.configs_dir, key)
    kept = cache.get()
    if kept is not None:
        return Composed(kept.found["sections"], kept.found["choices"], kept.files)
    _check(asked)
    # Only where something is to be composed: importing Hydra takes as long as all the rest.
    from weft.config.compose.hydra_tree import composing, omitting

    seen: dict[str, str | None] = {}
    with composing(seen), omitting(asked.experiment, asked.without):
        found = _composed(asked)
        files = [Path(path) for path, digest in seen.items() if digest]
        if errors := _machine_keys(asked, files):
            raise ComposeError([], errors, found)
    cache.put({"sections": found.sections, "choices": found.choices}, seen)
    return replace(found, files=seen)


def _check(asked: Composition) -> None:
    """Mistakes that Hydra would report less clearly, or of which it would report only the first."""
    for file in experiment_files(*asked.folders).get(asked.experiment, []):
        raw = read_raw(file, str(file))
        if isinstance(raw, ConfigError):
            raise ComposeError([], [raw])
        problems = [Problem(*each) for each in defaults_problems(asked.folders, raw)]
        problems = [each for each in problems if each.key not in asked.without]
        if problems:
            raise ComposeError(problems)


def _composed(asked: Composition) -> Composed:
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    from weft.config.compose.hydra_source import RefusedFile
    from weft.config.compose.hydra_tree import composed

    try:
        left = _left(asked)
        values, choices = composed(asked.folders, lines(asked, left))
    except RefusedFile as error:
        raise ComposeError([], error.errors) from None
    except RecursionError:
        message = "these files extend each other in a cycle"
        raise ComposeError([Problem("defaults", message)]) from None
    except (HydraException, OmegaConfBaseException, ValueError) as error:
        # An override of a key in a section that is none is not what is wrong.
        written = next(started_from(asked.folders, asked.experiment, set()), {})
        shapes = section_problems(written)
        raise ComposeError(shapes or [Problem(_key(error), cause(error))]) from None
    return Composed(values, left | choices)


def _machine_keys(asked: Composition, files: Sequence[Path]) -> list[ConfigError]:
    """Keys of the machine that a file may not set."""
    if not may_misplace(files, asked.folders, asked.lines):
        return []
    return list(misplaced(merged(asked), asked.folders))


def merged(asked: Composition) -> Iterator[tuple[Path, str]]:
    """The files of a composition and the package of each, in the order in which they are merged.

    Raises what Hydra raises, and Refused.
    """
    from weft.config.compose.hydra_source import config_file
    from weft.config.compose.hydra_tree import merged_files, omitting

    with omitting(asked.experiment, asked.without):
        files = merged_files(asked.folders, lines(asked))
    for name, package in files:
        found = (config_file(folder, name) for folder in asked.folders)
        if file := next(filter(None, found), None):
            yield file, package


def _key(error: BaseException | None) -> str:
    """The key with which a composition went wrong, as far as its error says."""
    while error is not None:
        if key := getattr(error, "full_key", None):
            return str(key)
        error = error.__cause__
    return ""


def lines(asked: Composition, left: Mapping[str, str] | None = None) -> list[str]:
    """The overrides with which Hydra composes `asked`."""
    from weft.config.compose.hydra_tree import quoted

    chosen = {"experiment": asked.experiment, **asked.choices}
    gone = _left(asked) if left is None else left
    return [
        *(f"{group}={quoted(choice)}" for group, choice in chosen.items()),
        *(f"~{group}" for group in gone),
        *asked.lines,
    ]


def _left(asked: Composition) -> dict[str, str]:
    """The default groups that are dropped, with their choices: nothing chooses them, and the
    experiment names another kind, to which their keys do not belong."""
    from weft.config.compose.hydra_tree import composed

    kinds: dict[str, object] = {}
    chosen = set(asked.choices)
    for raw in started_from(asked.folders, asked.experiment, set()):
        entries = raw.get("defaults", [])
        chosen |= {_group(key) for each in entries if isinstance(each, dict) for key in each}
        for group in POINT_GROUPS:
            section = raw.get(group)
            if isinstance(section, Mapping) and "kind" in section:
                kinds.setdefault(group, section["kind"])
    unasked = kinds.keys() - chosen
    if not unasked:
        return {}
    base, choices = composed(asked.folders, ())
    return {
        group: choices[group]
        for group in GROUPS
        if group in unasked and (base.get(group) or {}).get("kind", kinds[group]) != kinds[group]
    }


def started_from(folders: Sequence[Path], name: str, seen: set[str]) -> Iterator[Mapping[str, Any]]:
    """The experiment file as written, then those that it starts from."""
    files = experiment_files(*folders).get(name, [])
    if name in seen or not files:
        return
    seen.add(name)
    raw = read_raw(files[0], str(files[0]))
    if isinstance(raw, ConfigError):
        return
    yield raw
    entries = raw.get("defaults", [])
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, str):
            yield from started_from(folders, entry.rpartition("/")[2], seen)
