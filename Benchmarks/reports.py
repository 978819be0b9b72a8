# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""The cost of nodes that have nothing to report, and of changing a wire of a graph that plays."""

import json
import pathlib
import statistics
import time

import growth
import programs
from server import Server

OFFLINE, IDLE, EDIT_SECONDS, PLUGIN_SECONDS, LIVE_SECONDS, REMOVAL_SECONDS = 1.4, 0.01, 0.001, 0.002, 0.005, 0.1


def amplifiers(count, uri):
    names = [f"amp-{number}" for number in range(count)]
    return growth.manifest([(name, f'{{ lv2: "{uri}" }}') for name in names], [growth.row(names)])


def offline(tool, tell, uri):
    """A render in small blocks: the time that a hundred plugins add to each block, compared with a bare loop over them.

    The time of a short render is subtracted, because it takes the time to load a hundred plugins.
    """
    lengths = {"long.wav": 120, "short.wav": 0.5}
    for name, seconds in lengths.items():
        programs.run(["sox", "-n", "-r", "48000", "-b", "16", name, "synth", str(seconds), "pinknoise", "gain", "-12"])

    def work(manifest):
        long, short = (
            programs.run([tool, "render", manifest, "--block", "64", "--input", f"in={name}", "--output", "out=out.wav", "--overwrite"]).work
            for name in lengths)
        return long - short

    pathlib.Path("hundred.yaml").write_text(amplifiers(100, uri))
    pathlib.Path("none.yaml").write_text(amplifiers(0, uri))
    results = []
    for _ in range(5):
        full, empty = work("hundred.yaml"), work("none.yaml")
        bare = json.loads(programs.run([tool, "bench", "hundred.yaml", "--json"]).out)["bareSeconds"]
        added = (full - empty) / ((lengths["long.wav"] - lengths["short.wav"]) * 48000 / 64)
        results.append((added / bare, added, bare))
    ratio, added, bare = sorted(results)[len(results) // 2]
    tell("100 × eg-amp rendered in blocks of 64 / bare loop", f"{added * 1e6:.2f} µs", f"{bare * 1e6:.2f} µs", ratio, OFFLINE)


def idle(tool, tell):
    """Two thousand nodes that play: the share of a core that all threads except the audio thread use."""
    pathlib.Path("idle.yaml").write_text(growth.parallel(2000))
    with Server("-p", "1024", "-r", "48000") as server:
        child = server.start(tool, "run", "idle.yaml", "--server", server.name, "--no-record", "-q")
        time.sleep(4)
        before, start = others(child.pid), time.perf_counter()
        time.sleep(10)
        share = (others(child.pid) - before) / (time.perf_counter() - start)
        child.terminate()
        child.wait()
    tell("2,000 nodes without edits: threads beside audio", f"{share * 100:.2f} %", "of a core", share * 100, IDLE * 100, " %")


def others(process):
    """The processor time of a process's threads without real-time priority, in seconds.

    The scheduler counts it in nanoseconds. The ticks of `stat` are not usable: a thread that wakes every 5 ms runs in
    step with the sampling clock, so the samples overstate its time.
    """
    seconds = 0
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        fields = (task / "stat").read_text().rsplit(")", 1)[1].split()
        # The 41st field is the scheduling policy; 0 is SCHED_OTHER.
        if fields[38] == "0":
            seconds += int((task / "schedstat").read_text().split()[0]) / 1e9
    return seconds


def edits(tool, tell, uri):
    """An edit that adds one wire or one plugin, or removes 48 plugins, in a graph of 252 nodes that plays."""
    pathlib.Path("edited.yaml").write_text(growth.chain(250))
    command = [tool, "bench", "edited.yaml", "--for", "0.5", "--edits", "20", "--plugin", uri, "--json"]
    costs = [json.loads(programs.run(command).out)["edit"] for _ in range(3)]
    for what, key, limit in (
        ("an edit of 252 nodes that play: the call", "callSeconds", EDIT_SECONDS),
        ("… a plugin more: the calls beside instantiate", "pluginSeconds", PLUGIN_SECONDS),
        ("48 plugins less, in one edit that plays: the call", "removalSeconds", REMOVAL_SECONDS)):
        cost = statistics.median(one[key] for one in costs)
        tell(what, f"{cost * 1e3:.2f} ms", f"{limit * 1e3:.0f} ms", cost / limit, 1)


def live_edits(tool, tell, uri):
    """The same in JACK, in stereo: elapsed time of the calls, and the time until the first changed frame."""
    pathlib.Path("small.yaml").write_text(growth.chain(2))
    for period in (128, 1024):
        command = [tool, "bench", "small.yaml", "--for", "0.1", "--edits", "15", "--plugin", uri, f"--dummy=48000/{period}", "--json"]
        cost = json.loads(programs.run(command).out)["liveEdit"]
        for what, key, limit in (
            ("a plugin more: beside instantiate", "callSeconds", LIVE_SECONDS),
            ("… then heard after", "heardSeconds", 2 * period / 48000),
            ("48 plugins less in one edit", "removalSeconds", REMOVAL_SECONDS)):
            tell(f"JACK, {period} frames: {what}", f"{cost[key] * 1e3:.2f} ms", f"{limit * 1e3:.1f} ms", cost[key] / limit, 1)


def rows(tool, tell, uri):
    offline(tool, tell, uri)
    idle(tool, tell)
    edits(tool, tell, uri)
    live_edits(tool, tell, uri)
