# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Compares the processor time of listing and showing the installed plugins with lilv's own tools."""

import json
import os
import pathlib
import re
import statistics
import subprocess
import time

import programs
from server import Server

OVERHEAD = 10e-9


def work(command, tries=7, **options):
    return statistics.median(programs.run(command, **options).work for _ in range(tries))


def rows(tool, tell, plugin):
    # The first list, with an empty cache, is not measured.
    environment = {**os.environ, "XDG_CACHE_HOME": os.getcwd()}
    programs.run([tool, "list", "-q"], env=environment)
    ours, theirs = work([tool, "list", "-q"], env=environment), work(["lv2ls", "-n"])
    tell("list of all plugins, again / lv2ls -n: CPU", f"{ours * 1e3:.1f} ms", f"{theirs * 1e3:.1f} ms", ours / theirs, 0.1)
    ours, theirs = work([tool, "show", plugin], env=environment), work(["lv2info", plugin])
    tell("show a plugin by its URI / lv2info: CPU", f"{ours * 1e3:.1f} ms", f"{theirs * 1e3:.1f} ms", ours / theirs, 2)
    overhead(tool, tell)
    until_ports(tool, tell, plugin)
    thousands(tool, tell, plugin)



def row_of(count, uri):
    """A manifest with `count` nodes of a plugin in a row, in stereo: a node of a mono plugin has two instances."""
    names = [f"p{number}" for number in range(count)]
    nodes = "".join(f'  {name}: {{ lv2: "{uri}" }}\n' for name in names)
    return (
        f"swiftlet: 1\nnodes:\n  in: {{ capture: stereo }}\n{nodes}  out: {{ playback: stereo }}\n"
        f"wires:\n  - {' -> '.join(['in', *names, 'out'])}\n")


def overhead(tool, tell):
    """The overhead of a node over its plugin's bare `run()`: eight in a row minus one, for 200 plugins that pass sound.

    The result is the mean of the middle 80 percent: the cost of some plugins depends on the sound, which differs in the
    bare loop, by more than the host's whole overhead.
    """
    listed = [item for item in json.loads(programs.run([tool, "list", "--json", "-q"]).out)["items"] if item["origin"] == "lv2" and item["usable"]]
    nodes = []
    for item in listed:
        if len(nodes) == 200:
            break
        costs = []
        for length in (1, 8):
            pathlib.Path("row.yaml").write_text(row_of(length, item["id"]))
            ended = subprocess.run([tool, "bench", "row.yaml", "--for", "0.1", "--json"], capture_output=True, text=True, timeout=60)
            # A generator has no input for the wire, and some plugins allow only one instance.
            if ended.returncode != 0:
                break
            cost = json.loads(ended.stdout)
            if not cost["bareSeconds"]:
                break
            costs.append(cost)
        if len(costs) < 2:
            continue
        added = ((costs[1]["seconds"] - costs[1]["bareSeconds"]) - (costs[0]["seconds"] - costs[0]["bareSeconds"])) / 7
        nodes.append((added, costs[1]["bareSeconds"] / 8))
    middle = sorted(nodes)[len(nodes) // 10 : len(nodes) - len(nodes) // 10]
    added, bare = (statistics.mean(node[index] for node in middle) for index in (0, 1))
    limit = 0.01 * bare + OVERHEAD
    tell(f"a node beside its plugin's run(), {len(nodes)} plugins", f"{added * 1e9:.0f} ns", f"{limit * 1e9:.0f} ns", added / limit, 1)


def until_ports(tool, tell, plugin):
    """The processor time of a program with one plugin from its start until its ports exist: 21 runs of each in turn."""
    pathlib.Path("one.yaml").write_text(row_of(1, plugin))
    with Server("-r", "48000") as server:
        def work_of(port, *command):
            child = server.start(*command)
            while port not in subprocess.run(["jack_lsp", port], capture_output=True, text=True, env=server.environment).stdout:
                time.sleep(0.005)
            tasks = pathlib.Path(f"/proc/{child.pid}/task").iterdir()
            work = sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
            child.terminate()
            child.wait()
            return work

        pairs = [
            (work_of("one:out", tool, "run", "one.yaml", "--server", server.name, "--no-record", "-q"), work_of("bare:", "jalv", "-n", "bare", plugin))
            for _ in range(21)]
    ours, theirs = (statistics.median(pair[index] for pair in pairs) for index in (0, 1))
    tell("run of one plugin until its ports are there / jalv: CPU", f"{ours * 1e3:.1f} ms", f"{theirs * 1e3:.1f} ms", ours / theirs, 1.2)


def thousands(tool, tell, plugin):
    """Two thousand plugins at 64 frames: the number of late cycles."""
    pathlib.Path("thousands.yaml").write_text(row_of(2000, plugin))
    with Server("-p", "64", "-r", "48000") as server:
        run = programs.run(
            [tool, "run", "thousands.yaml", "--server", server.name, "--no-record", "--for", "10", "-v"], env=server.environment)
    late = sum(line.startswith("xrun: the longest cycle") for line in (run.out + run.err).splitlines())
    longest = float(re.search(r"longest cycle took (\d+)", run.out + run.err).group(1))
    tell("2,000 plugins at 64 frames, 10 s: late cycles", f"{late}", "0", late, 0)
    tell("… and the longest cycle / the period", f"{longest:.0f} µs", "1333 µs", longest / (64 / 48000 * 1e6), 1)
