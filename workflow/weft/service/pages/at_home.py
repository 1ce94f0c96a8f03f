"""The experiment of a form or a task as something to take home."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from django.http import HttpResponse

from weft.service.project import UPLOADS, is_beside


def download(name: str, experiment_yaml: str, files: Mapping[str, bytes]) -> HttpResponse:
    """The file alone, or a ZIP to unpack in a clone of weft where it names other files."""
    if not files:
        answer = HttpResponse(experiment_yaml, content_type="application/yaml; charset=utf-8")
        return _named(answer, f"{name}.yaml")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        # Entries without a date: the same form gives the same bytes.
        archive.writestr(zipfile.ZipInfo(f"configs/experiment/{name}.yaml"), experiment_yaml)
        for path, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(place_at_home(path)), content)
    answer = HttpResponse(packed.getvalue(), content_type="application/zip")
    return _named(answer, f"{name}-experiment.zip")


def place_at_home(path: str) -> str:
    """Where a file of a task lies in a clone: programs lie beside the experiment."""
    if is_beside(path):
        return f"configs/experiment/{path.removeprefix(f'{UPLOADS}/')}"
    return path


def _named(answer: HttpResponse, name: str) -> HttpResponse:
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
