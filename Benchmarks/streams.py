# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Playing from and recording to disk: many players at once, and memory over hours."""

import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import time

import programs
from server import Server

PLAYERS, RATE, PERIOD = 32, 48000, 64
HOURS = 4


def noise(path, seconds, bits):
    programs.run(
        ["sox", "-R", "-n", "-r", str(RATE), "-c", "2", "-b", str(bits), path, "synth", str(seconds), "pinknoise", "gain", "-12"])


def forget(path):
    """Drops a file from the page cache, so that the next read comes from the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def resident(process, line="VmRSS"):
    """The current or peak memory of a process in bytes; 0 if it has ended."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        return int(re.search(rf"{line}:\s+(\d+)", status).group(1)) * 1024
    except (OSError, AttributeError):
        return 0


def manifest(files):
    nodes = "".join(f"  player-{number}: {{ player: {file} }}\n" for number, file in enumerate(files))
    wires = "".join(f"  - player-{number} -> desk: -30 dB\n" for number in range(len(files)))
    return f"swiftlet: 1\nnodes:\n  desk: {{ playback: stereo }}\n{nodes}" + (f"wires:\n{wires}" if files else "")


def play(tool, server, manifest, seconds):
    """The output of a run, and its peak memory."""
    run = subprocess.Popen(
        [tool, "run", manifest, "--server", server.name, "-v", "--for", str(seconds), "--no-record"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=server.environment)
    most = 0
    while run.poll() is None:
        most = max(most, resident(run, "VmHWM"))
        time.sleep(0.05)
    return run.stdout.read(), most


def players(tool, tell, seconds=20, tries=3):
    noise("player-0.wav", seconds + 5, 24)
    files = [f"player-{number}.wav" for number in range(PLAYERS)]
    for file in files[1:]:
        shutil.copy(files[0], file)
    pathlib.Path("players.yaml").write_text(manifest(files))
    pathlib.Path("silent.yaml").write_text(manifest([]))
    dry, longest, full = 0, [], 0
    with Server("-p", str(PERIOD), "-r", str(RATE)) as server:
        _, empty = play(tool, server, "silent.yaml", 2)
        for _ in range(tries):
            for file in files:
                forget(file)
            words, most = play(tool, server, "players.yaml", seconds)
            # Without a line about players, the run has not played.
            count = re.search(r"players had (\d+) underruns?", words)
            dry += int(count.group(1)) if count else 1
            longest.append(float(re.search(r"longest cycle took (\d+)", words).group(1)))
            full = max(full, most)
    tell(f"{PLAYERS} players, {PERIOD} frames, {tries} × {seconds} s, cold: ran dry", str(dry), "-", dry, 0)
    # The median of the tries: the cost of Swiftlet recurs in every try, but a pause of the machine does not.
    middle, period = statistics.median(longest), PERIOD / RATE * 1e6
    tell("… and our longest cycle / the period", f"{middle:.0f} µs", f"{period:.0f} µs", middle / period, 1)
    buffers = (full - empty) / 2**20
    tell("… and memory above that of an engine without", f"{full / 2**20:.1f} MB", f"{empty / 2**20:.1f} MB", buffers, 64, " MB")


def begun(take):
    """Waits until a take exists, and returns it."""
    for _ in range(600):
        if take.exists():
            return take
        time.sleep(0.05)
    raise programs.Failed("nothing is recorded")


def hours(run, take):
    """The total and the anonymous memory of a run: after a minute of its take, and the peaks from then on until the
    take is long enough."""
    first, most, seconds, grew = None, None, 0, time.monotonic()
    while seconds < HOURS * 3600:
        time.sleep(0.01)
        now = [resident(run, line) for line in ("VmRSS", "RssAnon")]
        length = take.stat().st_size / (RATE * 4)
        grew, seconds = (time.monotonic(), length) if length > seconds else (grew, seconds)
        if run.poll() is not None or time.monotonic() - grew > 60:
            raise programs.Failed(f"no more is recorded after {seconds:.0f} s of sound")
        if first:
            most = [max(pair) for pair in zip(most, now)]
        elif seconds >= 60:
            first = most = now
    return first, most


def memory(tool, tell):
    """A looping player and a tap that records it, for hours of sound while JACK freewheels."""
    noise("loop.wav", 61, 16)
    pathlib.Path("hours.yaml").write_text(
        "swiftlet: 1\nnodes:\n  song: { player: loop.wav, loop: forever }\n  desk: { playback: stereo }\n"
        'wires: [ song -> desk ]\ntaps: { tape: { after: song, record: { file: "{tap}.wav", format: 16-bit } } }\n')
    with Server("-p", "4096", "-r", str(RATE)) as server:
        run = server.start(tool, "run", "hours.yaml", "--server", server.name, "--takes", "hours", "-q")
        try:
            take = begun(pathlib.Path("hours/tape.wav"))
            server.freewheel(True)
            first, most = hours(run, take)
            server.freewheel(False)
            run.send_signal(signal.SIGINT)
            status = run.wait(timeout=60)
        finally:
            run.kill()
            run.wait()
    if status != 0:
        raise programs.Failed(f"the run of {HOURS} hours ended with status {status}")
    for what, one, other in zip([f"memory: {HOURS} h played and recorded / first minute", "… of that its own alone"], first, most):
        tell(what, f"{other / 2**20:.1f} MB", f"{one / 2**20:.1f} MB", (other - one) / 2**20, 2, " MB")
