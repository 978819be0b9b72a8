# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""The cost of plugins in another process in the same cycle, and the time until a killed plugin is heard again."""

import array
import json
import os
import pathlib
import signal
import statistics
import subprocess
import time

import growth
import programs

MICROSECOND = 1e-6
ONE, ONE_LONGEST, TEN, RETURN = 25 * MICROSECOND, 60 * MICROSECOND, 60 * MICROSECOND, 0.1
MEMORY, START = 15e6, 0.1


def manifest(count, uri):
    names = [f"amp-{number}" for number in range(count)]
    return growth.manifest([(name, f'{{ lv2: "{uri}" }}') for name in names], [growth.row(names)])


# Real-time priority like JACK's thread, if permitted: without it the engine does not wait for isolated plugins.
PRIORITY = ["chrt", "-f", "50"] if subprocess.run(["chrt", "-f", "50", "true"], capture_output=True).returncode == 0 else []


def cost(tool, name, *options):
    """Seconds of the median block, and the median of the longest of 200 blocks each."""
    results = [json.loads(programs.run([*PRIORITY, tool, "bench", name, "--json", *options]).out) for _ in range(3)]
    return [sorted(one[key] for one in results)[1] for key in ("seconds", "longestSeconds")]


def cycle(tool, tell, uri):
    for count in (1, 10):
        pathlib.Path(f"isolated-{count}.yaml").write_text(manifest(count, uri))
    own = {count: cost(tool, f"isolated-{count}.yaml") for count in (1, 10)}
    other = {count: cost(tool, f"isolated-{count}.yaml", "--isolate", "all") for count in (1, 10)}
    for what, count, index, limit in (
        ("an isolated plugin, 64 frames: a block more", 1, 0, ONE),
        ("… the longest of 200 blocks", 1, 1, ONE_LONGEST),
        ("ten of them in a row: a block more", 10, 0, TEN)):
        more = other[count][index] - own[count][index]
        tell(what, f"{more * 1e6:.1f} µs", f"{limit * 1e6:.0f} µs", more / limit, 1)


def children(process):
    return [
        int(child) for task in pathlib.Path(f"/proc/{process}/task").iterdir()
        for child in (task / "children").read_text().split()
        if "swiftlet-plugin-host" in pathlib.Path(f"/proc/{child}/cmdline").read_text()]


def child(tool, tell):
    """The memory of a process with one isolated plugin, and the time that a program takes longer to start with one."""
    run = subprocess.Popen([tool, "run", "isolated-1.yaml", "--isolate", "all", "--dummy", "--for", "3", "-q"],
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 20
    while not (found := children(run.pid)) and time.monotonic() < end:
        time.sleep(0.02)
    time.sleep(1)
    rollup = pathlib.Path(f"/proc/{found[0]}/smaps_rollup").read_text()
    memory = int(next(line for line in rollup.splitlines() if line.startswith("Rss:")).split()[1]) * 1024
    run.wait()
    tell("the process of an isolated plugin: memory", f"{memory / 1e6:.1f} MB", f"{MEMORY / 1e6:.0f} MB", memory / MEMORY, 1)

    def seconds(*options):
        start = time.perf_counter()
        programs.run([tool, "render", "isolated-1.yaml", "-o", "short.wav", "--for", "0.01", "--no-record", "--overwrite", "-q", *options])
        return time.perf_counter() - start

    pairs = [(seconds("--isolate", "all"), seconds()) for _ in range(9)]
    more = statistics.median(isolated - own for isolated, own in pairs)
    tell("… a program with one starts and ends later by", f"{more * 1e3:.0f} ms", f"{START * 1e3:.0f} ms", more / START, 1)


def gap(name):
    """The longest silence inside a take, in seconds."""
    raw = subprocess.run(["sox", name, "-t", "raw", "-e", "floating-point", "-b", "32", "-L", "-"], capture_output=True, check=True).stdout
    samples = array.array("f", raw)
    longest = run = 0
    for sample in samples[9600:]:
        run = run + 1 if sample == 0 else 0
        longest = max(longest, run)
    return longest / 48000


def comes_back(tool, tell, uri):
    """The time from `kill -9` of the process to sound: the gap in a recording after the plugin."""
    programs.run(["sox", "-n", "-r", "48000", "-c", "1", "sine.wav", "synth", "30", "sine", "441"])
    pathlib.Path("returning.yaml").write_text(
        "swiftlet: 1\nnodes:\n  song: { player: sine.wav }\n"
        f'  amp: {{ lv2: "{uri}", isolate: true }}\n  out: {{ playback: mono, connect: none }}\n'
        'wires: [ song -> amp -> out ]\ntaps:\n  wet: { after: amp, record: { file: "{tap}.wav", format: 32-float } }\n')
    gaps = []
    for number in range(5):
        folder = f"returning-{number}"
        run = subprocess.Popen(
            [tool, "run", "returning.yaml", "--dummy", "--takes", folder, "--for", "3", "-q"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        take = pathlib.Path(folder, "wet.wav")
        while run.poll() is None and not (take.exists() and take.stat().st_size > 200_000):
            time.sleep(0.02)
        for child in children(run.pid):
            os.kill(child, signal.SIGKILL)
        run.wait()
        gaps.append(gap(str(take)))
    middle = sorted(gaps)[2]
    tell("an isolated plugin that is killed: silence", f"{middle * 1e3:.1f} ms", f"{RETURN * 1e3:.0f} ms", middle / RETURN, 1)


def rows(tool, tell, uri):
    cycle(tool, tell, uri)
    child(tool, tell)
    comes_back(tool, tell, uri)
