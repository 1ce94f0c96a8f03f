"""A program that comes to a form as one packed project."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from django.conf import settings

from weft.service.forms.chosen import Chosen
from weft.service.forms.fields import Form
from weft.service.project import UPLOADS
from weft.service.tasks.check import Mistake
from weft.service.tasks.folders import PACKED, is_packed, unpacked


def with_folders(
    form: Form, chosen: Chosen
) -> tuple[dict[str, list[tuple[str, bytes]]], list[Mistake], list[str]]:
    """Names and contents of chosen files by the keys of their fields; of a packed project its own.
    Then mistakes, and a sentence for each project of which something was left out.

    The files of a project lie in one folder, so that none of them is taken for a program's alone.
    """
    found: dict[str, list[tuple[str, bytes]]] = {}
    mistakes: list[Mistake] = []
    said: list[str] = []
    takes = {each.key for each in form.fields() if {*PACKED}.intersection(each.endings.split(","))}
    for key, files in chosen.items():
        found[key] = [(each.name, each.content) for each in files]
        for each in files:
            if not (key in takes and each.content and is_packed(each.name)):
                continue
            if len(files) > 1:
                mistakes.append(Mistake(key, f"{each.name} is a packed project: choose it alone"))
                continue
            try:
                inner = unpacked(each.content, settings.UPLOAD_FILES, settings.UPLOAD_BYTES)
            except ValueError as error:
                mistakes.append(Mistake(key, f"{each.name}: {error}"))
                continue
            said += [text for text in [inner.said(each.name)] if text]
            paths = {path.removeprefix(f"{UPLOADS}/"): text for path, text in inner.items()}
            found[key] = [*_in_one_folder(each.name, paths)]
    return found, mistakes, said


def _in_one_folder(name: str, files: Mapping[str, bytes]) -> Iterable[tuple[str, bytes]]:
    tops = {path.partition("/")[0] for path in files}
    if len(tops) == 1 and not tops & files.keys():
        return files.items()
    folder = re.sub(r"[^A-Za-z0-9_-]", "_", name.partition(".")[0])[:60] or "project"
    return [(f"{folder}/{path}", content) for path, content in files.items()]
