# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Access to the modules of the last release build, for scripts that read them or compile programs that import them."""

import functools
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / ".build/release"


@functools.cache
def clang_flags():
    """Returns the compiler flags for the C modules that Swiftlet's modules import."""
    package = json.loads(subprocess.check_output(["swift", "package", "dump-package"], cwd=ROOT))
    maps = [*BUILD.glob("*.build/module.modulemap"), *ROOT.glob("Sources/C*/module.modulemap"),
            *ROOT.glob(".build/checkouts/*/Sources/C*/include/module.modulemap")]
    flags = [f"-fmodule-map-file={path}" for path in maps]
    libraries = [target["pkgConfig"] for target in package["targets"] if target.get("pkgConfig")]
    for library in libraries:
        found = subprocess.run(["pkg-config", "--cflags-only-I", library], capture_output=True, text=True)
        flags += found.stdout.split()
    return [word for flag in dict.fromkeys(flags) for word in ("-Xcc", flag)]


def typecheck(source, name):
    """Type-checks a program that imports Swiftlet. Returns the compiler's errors, one a line."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / (name + ".swift")
        file.write_text(source, encoding="utf-8")
        command = ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-module-name", name]
        command += ["-enable-upcoming-feature", "MemberImportVisibility", "-I", str(BUILD / "Modules"), *clang_flags()]
        run = subprocess.run([*command, str(file)], capture_output=True, text=True)
    errors = [line for line in run.stderr.splitlines() if re.match(r"\S+:\d+:\d+: error:", line)]
    return errors or ([run.stderr] if run.returncode else [])
