# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Sound that comes from the disk and goes there: many players at once, and memory over hours."""

import os
import pathlib
import re
import shutil
import subprocess
import time

PLAYERS, RATE, PERIOD = 32, 48000, 64
HOURS = 4


def noise(path, seconds, bits):
    subprocess.run(
        ["sox", "-R", "-n", "-r", str(RATE), "-c", "2", "-b", str(bits), path, "synth", str(seconds), "pinknoise", "gain", "-12"],
        check=True, stderr=subprocess.DEVNULL)


def forget(path):
    """Leaves nothing of a file in memory: what is read next comes from the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def resident(process, line="VmRSS"):
    """How much memory a process holds, or has held at most, in bytes; 0 once it is gone."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        return int(re.search(rf"{line}:\s+(\d+)", status).group(1)) * 1024
    except (OSError, AttributeError):
        return 0


def desk(files):
    nodes = "".join(f"  player-{number}: {{ player: {file} }}\n" for number, file in enumerate(files))
    wires = "".join(f"  - player-{number} -> desk: -30 dB\n" for number in range(len(files)))
    return f"swiftlet: 1\nnodes:\n  desk: {{ playback: stereo }}\n{nodes}" + (f"wires:\n{wires}" if files else "")


def play(tool, server, manifest, seconds):
    """What a run says, and the most memory that it held."""
    run = subprocess.Popen(
        [tool, "run", manifest, "--server", server.name, "-v", "--for", str(seconds), "--no-record"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=server.environment)
    most = 0
    while run.poll() is None:
        most = max(most, resident(run, "VmHWM"))
        time.sleep(0.05)
    return run.stdout.read(), most


def players(tool, tell, server_of, seconds=60):
    noise("player-0.wav", seconds + 5, 24)
    files = [f"player-{number}.wav" for number in range(PLAYERS)]
    for file in files[1:]:
        shutil.copy(files[0], file)
    for file in files:
        forget(file)
    pathlib.Path("players.yaml").write_text(desk(files))
    pathlib.Path("nobody.yaml").write_text(desk([]))
    with server_of("-p", str(PERIOD), "-r", str(RATE)) as server:
        _, empty = play(tool, server, "nobody.yaml", 2)
        words, full = play(tool, server, "players.yaml", seconds)
    for file in files:
        pathlib.Path(file).unlink()
    # Where it says nothing of players, it has not played.
    dry = re.search(r"players ran dry (\d+) times?", words)
    count = int(dry.group(1)) if dry else -1
    what = f"{PLAYERS} players, {PERIOD} frames, {seconds} s, cold"
    tell(f"{what}: ran dry", str(count), "-", count if dry else 1, 0)
    longest, period = float(re.search(r"longest cycle took (\d+)", words).group(1)), PERIOD / RATE * 1e6
    tell("… and our longest cycle / the period", f"{longest:.0f} µs", f"{period:.0f} µs", longest / period, 1)
    buffers = (full - empty) / 2**20
    tell("… and memory above that of an engine without", f"{full / 2**20:.1f} MB", f"{empty / 2**20:.1f} MB", buffers, 64, " MB")


def memory(tool, tell):
    """A player in a loop, and a tap that records it: memory after the first minute of sound, and the most after it."""
    noise("loop.wav", 61, 16)
    pathlib.Path("hours.yaml").write_text(
        "swiftlet: 1\nnodes:\n  song: { player: loop.wav, loop: forever }\n  desk: { playback: stereo }\n"
        'wires: [ song -> desk ]\ntaps: { tape: { after: song, record: { file: "{tap}.wav", format: 16-bit } } }\n')
    run = subprocess.Popen(
        [tool, "render", "hours.yaml", "--rate", str(RATE), "--for", str(HOURS * 3600), "--takes", "hours", "-q"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    take, first, most = pathlib.Path("hours/tape.wav"), 0, 0
    while run.poll() is None:
        now = resident(run)
        if first:
            most = max(most, now)
        elif take.exists() and take.stat().st_size >= 60 * RATE * 4:
            first = most = now
        time.sleep(0.01)
    whole = take.stat().st_size // (RATE * 4) / 3600 if take.exists() else 0
    take.unlink(missing_ok=True)
    grown = (most - first) / 2**20 if run.returncode == 0 and first and whole >= HOURS else float("inf")
    tell(f"memory: {whole:.0f} h played and recorded / first minute", f"{most / 2**20:.1f} MB", f"{first / 2**20:.1f} MB", grown, 2, " MB")


def rows(tool, tell, server_of):
    players(tool, tell, server_of)
    memory(tool, tell)
