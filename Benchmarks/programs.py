# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Programs that are run to be measured, ours and others'."""

import dataclasses
import resource
import statistics
import subprocess
import time


class Failed(Exception):
    """A program that a row needs does not do its work; the text says which, and its last words."""


@dataclasses.dataclass
class Run:
    """What a program said, and the seconds it took: on the clock, and of all processors together."""

    out: str
    err: str
    seconds: float
    work: float


def run(command, **options):
    """Runs a program to its end.

    One that fails is run once more, since not all that we are measured against is steady; what fails again is `Failed`.
    """
    for _ in range(2):
        before, start = children(), time.perf_counter()
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace", **options)
        seconds = time.perf_counter() - start
        if ended.returncode == 0:
            return Run(ended.stdout, ended.stderr, seconds, children() - before)
    words = (ended.stdout + ended.stderr).split("\n")
    last = next((line.strip() for line in reversed(words) if line.strip()), "it said nothing")
    raise Failed(f"{command[0]} failed twice, with status {ended.returncode}: {last}")


def children():
    """Seconds that processors have worked for programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds(command, tries=5, **options):
    """The median time of a whole program."""
    return statistics.median(run(command, **options).seconds for _ in range(tries))
