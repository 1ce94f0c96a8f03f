"""Files that are whole or absent, and locks that a kill frees."""

from weft.files.duplicate import duplicate
from weft.files.lock import open_lock, take_lock
from weft.files.put import Aside, Put, holds, replace_changed
from weft.files.remove import remove_folder
from weft.files.replace import replace_bytes, replace_text, replacing
from weft.files.seal import JsonObject, parsed_json, seal_of, sealed, sealed_text, unsealed
from weft.files.shell_path import need_plain_path
from weft.files.space import FULL, need_space
from weft.files.sums import SUMS, alteration, altered, sha256_of, write_sums

__all__ = [
    "FULL",
    "SUMS",
    "Aside",
    "JsonObject",
    "Put",
    "alteration",
    "altered",
    "duplicate",
    "holds",
    "need_plain_path",
    "need_space",
    "open_lock",
    "parsed_json",
    "remove_folder",
    "replace_bytes",
    "replace_changed",
    "replace_text",
    "replacing",
    "seal_of",
    "sealed",
    "sealed_text",
    "sha256_of",
    "take_lock",
    "unsealed",
    "write_sums",
]
