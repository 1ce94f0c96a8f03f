"""Files of a form: those that a browser sends now, and those that it has sent before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict

from weft.service.forms.fields import Form
from weft.service.tasks import drafts
from weft.service.tasks.check import Mistake

Posted = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """A file with its name; `token` brings it back in the next request of the same person."""

    name: str
    content: bytes
    digest: str

    @property
    def token(self) -> str:
        """What a browser sends in place of the file."""
        return f"{self.digest} {self.name}"


def kept_name(key: str) -> str:
    """The name under which a browser sends the token of a file."""
    return f"kept.{key}"


def chosen_files(
    form: Form, posted: Posted, sent: MultiValueDict[str, UploadedFile], person: int
) -> tuple[dict[str, ChosenFile], list[Mistake]]:
    """Files by the keys of their fields; the size is known before a file is read."""
    found: dict[str, ChosenFile] = {}
    mistakes: list[Mistake] = []
    for each in form.fields():
        if each.shown.own is None:
            continue
        file = sent.get(each.file_name)
        if not isinstance(file, UploadedFile):
            token = next(iter(posted.get(kept_name(each.key), ())), "")
            digest, _, name = token.partition(" ")
            content = drafts.kept(person, digest)
            if content is not None:
                found[each.key] = ChosenFile(name[:100], content, digest)
            elif token:
                mistakes.append(
                    Mistake(each.key, f"{name[:100]} is no longer here; choose it again")
                )
        elif (file.size or 0) > settings.UPLOAD_BYTES:
            most = f"at most {settings.UPLOAD_BYTES:,} bytes"
            mistakes.append(Mistake(each.key, f"{file.size:,} bytes; {most}"))
        else:
            content = file.read()
            # An empty file is refused anyway.
            digest = drafts.keep(person, content) if content else ""
            found[each.key] = ChosenFile(str(file.name), content, digest)
    return found, mistakes
