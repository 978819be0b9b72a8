# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Runs and measures programs: Swiftlet and others."""

import dataclasses
import resource
import statistics
import subprocess
import time


class Failed(Exception):
    """A program that a row needs failed. The text has its name and the end of its output."""


@dataclasses.dataclass
class Run:
    """The output of a program, its wall-clock seconds and its processor seconds."""

    out: str
    err: str
    seconds: float
    work: float


def run(command, **options):
    """Runs a program to its end.

    A program that fails runs once more, because not all programs that we compare with are reliable. A second failure
    raises `Failed`.
    """
    for _ in range(2):
        before, start = children(), time.perf_counter()
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace", **options)
        seconds = time.perf_counter() - start
        if ended.returncode == 0:
            return Run(ended.stdout, ended.stderr, seconds, children() - before)
    words = (ended.stdout + ended.stderr).split("\n")
    last = next((line.strip() for line in reversed(words) if line.strip()), "it printed nothing")
    raise Failed(f"{command[0]} failed twice, with status {ended.returncode}: {last}")


def children():
    """The processor time of all child processes that have ended, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds(command, tries=5, **options):
    """The median wall-clock time of a whole program, in seconds."""
    return statistics.median(run(command, **options).seconds for _ in range(tries))
