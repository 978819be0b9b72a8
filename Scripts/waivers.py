# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Reads Scripts/audio-thread-waivers."""

import pathlib
import sys


def read(kind):
    """The waivers of a kind, as (file or caller, function or callee, reason) by line number."""
    path = pathlib.Path(__file__).with_name("audio-thread-waivers")
    waivers = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split(" | ")]
        if len(fields) != 4 or fields[0] not in ("mark", "call") or not all(fields):
            sys.exit(f"{path}:{number}: error: a waiver is 'mark' or 'call', where, what and the reason, parted by ' | '")
        if fields[0] == kind:
            waivers[number] = tuple(fields[1:])
    return waivers
