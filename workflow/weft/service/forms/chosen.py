"""Files of a form: those that a browser sends now, and those that it has sent before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

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


Chosen = Mapping[str, Sequence[ChosenFile]]


def chosen_files(
    form: Form, posted: Posted, sent: MultiValueDict[str, UploadedFile], person: int
) -> tuple[dict[str, list[ChosenFile]], list[Mistake]]:
    """Files by the keys of their fields; the size is known before a file is read."""
    found: dict[str, list[ChosenFile]] = {}
    mistakes: list[Mistake] = []
    for each in form.fields():
        own = each.shown.own
        if own is None:
            continue
        files = [file for file in sent.getlist(each.file_name) if isinstance(file, UploadedFile)]
        tokens = [] if files else list(posted.get(kept_name(each.key), ()))
        if len(files) > 1 and not own.several:
            mistakes.append(Mistake(each.key, "choose one file"))
            continue
        for one in (*map(_sent, files), *(_kept(person, token) for token in tokens)):
            if isinstance(one, ChosenFile):
                # An empty file is refused anyway.
                if files and one.content:
                    drafts.keep(person, one.content)
                found.setdefault(each.key, []).append(one)
            else:
                mistakes.append(Mistake(each.key, one))
    return found, mistakes


def _sent(file: UploadedFile) -> ChosenFile | str:
    """A file that comes now, or what is wrong with it."""
    if (file.size or 0) > settings.UPLOAD_BYTES:
        return f"{file.size:,} bytes; at most {settings.UPLOAD_BYTES:,} bytes"
    content = file.read()
    return ChosenFile(str(file.name), content, sha256(content).hexdigest() if content else "")


def _kept(person: int, token: str) -> ChosenFile | str:
    """A file that has come before."""
    digest, _, name = token.partition(" ")
    # Folders are those of packed projects alone.
    name = name.rpartition("/")[2]
    content = drafts.kept(person, digest)
    if content is None:
        return f"{name[:100]} is no longer here; choose it again"
    return ChosenFile(name[:100], content, digest)
