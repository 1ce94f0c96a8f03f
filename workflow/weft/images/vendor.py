"""Rust crates fetched before a build, so that the build itself needs no network."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from weft.images.digest import DIGITS, VENDOR
from weft.images.errors import ImageError
from weft.images.runtime import exec_command
from weft.images.way_out import ELSEWHERE

#: What `rust-version` in simulators/Cargo.toml asks for; older ones cannot read the lock.
OLDEST_CARGO = (1, 85)
BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
)
LAST_LINES = 10


def vendor(crates: Path, root: Path, toolchain: Callable[[], Path]) -> Path:
    """The folder with all crates of `crates/Cargo.lock`, fetched when it is not there yet.

    Fetches with this machine's cargo, else with that of the image that `toolchain` gives; both
    read the user's cargo configuration, so that a site's mirror of the registry works.
    Raises ImageError with cargo's last lines when that fails.
    """
    lock = (root / crates / "Cargo.lock").read_bytes()
    name = f"{crates.name}-{sha256(lock).hexdigest()[:DIGITS]}"
    target = root / VENDOR / name
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=target.parent) as folder:
        fetched = Path(folder) / "vendor"
        fetched.mkdir()
        cargo = _own_cargo() or _cargo_of(toolchain(), root, Path(folder))
        command = [*cargo, "vendor", "--locked", "--manifest-path", str(crates / "Cargo.toml")]
        done = subprocess.run(
            [*command, str(fetched)],
            cwd=root,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            last = "\n".join(done.stderr.splitlines()[-LAST_LINES:])
            raise ImageError(
                f"{crates}/Cargo.lock: cannot fetch its crates; this machine needs the network or "
                f"a mirror in ~/.cargo/config.toml, once; without both {ELSEWHERE}:\n{last}"
            )
        try:
            fetched.rename(target)
        except OSError:
            # Another image's build has fetched the same crates meanwhile.
            if not target.is_dir():
                raise
    return target


def _own_cargo() -> list[str] | None:
    """This machine's cargo, if it is new enough."""
    cargo = shutil.which("cargo")
    if not cargo:
        return None
    answer = subprocess.run([cargo, "--version"], capture_output=True, text=True, check=False)
    version = re.match(r"cargo (\d+)\.(\d+)", answer.stdout)
    new = version and (int(version[1]), int(version[2])) >= OLDEST_CARGO
    return [cargo] if new else None


def _cargo_of(image: Path, root: Path, scratch: Path) -> list[str]:
    """Cargo in an image, with the user's configuration and certificates."""
    home = scratch / "cargo"
    home.mkdir()
    own = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    for name in ("config.toml", "config", "credentials.toml"):
        if (own / name).is_file():
            shutil.copy(own / name, home / name)
    binds = [f"{root.absolute()}"]
    environment = {"CARGO_HOME": str(home.absolute())}
    named = [os.environ.get(name) for name in ("CARGO_HTTP_CAINFO", "SSL_CERT_FILE")]
    bundle = next((path for path in (*named, *BUNDLES) if path and Path(path).is_file()), None)
    if bundle:
        binds.append(f"{Path(bundle).resolve()}:{BUNDLES[0]}")
        environment["CARGO_HTTP_CAINFO"] = environment["SSL_CERT_FILE"] = BUNDLES[0]
    return [*exec_command(image, binds=binds, environment=environment), "cargo"]
