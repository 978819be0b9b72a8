# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Where the compiler finds the modules of the last release build: for scripts that read or import them."""

import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build/release"


def clang_flags():
    """Where the compiler finds the C modules that ours import."""
    package = json.loads(subprocess.check_output(["swift", "package", "dump-package"], cwd=ROOT))
    maps = [*BUILD.glob("*.build/module.modulemap"), *ROOT.glob("Sources/C*/module.modulemap"),
            *ROOT.glob(".build/checkouts/*/Sources/C*/include/module.modulemap")]
    flags = [f"-fmodule-map-file={path}" for path in maps]
    libraries = [target["pkgConfig"] for target in package["targets"] if target.get("pkgConfig")]
    for library in libraries:
        found = subprocess.run(["pkg-config", "--cflags-only-I", library], capture_output=True, text=True)
        flags += found.stdout.split()
    return [word for flag in dict.fromkeys(flags) for word in ("-Xcc", flag)]
