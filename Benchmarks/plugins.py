# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""What it costs to look at the installed plugins, beside lilv's own tools: seconds of all processors together."""

import os
import statistics

import programs


def work(command, tries=7, **options):
    return statistics.median(programs.run(command, **options).work for _ in range(tries))


def rows(tool, tell, plugin):
    # The first list of a cache that is empty is not measured.
    environment = {**os.environ, "XDG_CACHE_HOME": os.getcwd()}
    programs.run([tool, "list", "-q"], env=environment)
    ours, theirs = work([tool, "list", "-q"], env=environment), work(["lv2ls", "-n"])
    tell("list of all plugins, again / lv2ls -n: CPU", f"{ours * 1e3:.1f} ms", f"{theirs * 1e3:.1f} ms", ours / theirs, 0.1)
    ours, theirs = work([tool, "show", plugin], env=environment), work(["lv2info", plugin])
    tell("show a plugin by its URI / lv2info: CPU", f"{ours * 1e3:.1f} ms", f"{theirs * 1e3:.1f} ms", ours / theirs, 2)
