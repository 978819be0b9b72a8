# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Compares the export of eight stereo tracks of ten minutes with sixty ramps to sox, which mixes the same files without
ramps, and to ecasound, which applies the same envelope to each."""

import math
import os
import pathlib
import shutil

import programs

TRACKS, SECONDS, RATE = 8, 600, 44100
# Sixty ramps in all tracks: every second one starts at the end value of the previous one.
RAMPS = [8, 8, 8, 8, 7, 7, 7, 7]
# The gain of each track, so that the sum does not clip.
LEVEL = 1 / TRACKS


def ramps(track):
    """The start and end of each ramp of a track in seconds, and its two volumes."""
    width = SECONDS / RAMPS[track]
    return [
        (number * width + 5, number * width + 15, *([0.9, 0.3] if number % 2 else [0.3, 0.9]))
        for number in range(RAMPS[track])
    ]


def manifest():
    lines = ["swiftlet: 1", "nodes:", "  desk: { playback: stereo }", "timeline:", "  tracks:"]
    for track in range(TRACKS):
        lines += [f"    track-{track}:", f"      pieces: [ {{ file: track-{track}.wav }} ]", "      mix:"]
        lines += [f"        - {{ at: 0 s, volume: {ramps(track)[0][2]} }}"]
        lines += [
            f"        - {{ from: {start:.3f} s, to: {end:.3f} s, volume: [ {one}, {other} ] }}"
            for start, end, one, other in ramps(track)
        ]
    wires = [f"  - track-{track} -> desk: {20 * math.log10(LEVEL):.4f} dB" for track in range(TRACKS)]
    return "\n".join(lines + ["wires:"] + wires) + "\n"


def ecasound():
    """One chain per file, whose amplifier follows a linear envelope with the same points."""
    words = ["ecasound", "-q", "-B:nonrt", "-b:4096", f"-f:s16_le,2,{RATE}"]
    for track in range(TRACKS):
        points = [(0, ramps(track)[0][2])]
        for start, end, one, other in ramps(track):
            points += [(start, one), (end, other)]
        levels = ",".join(f"{time:.3f},{level}" for time, level in points)
        envelope = f"-klg:1,0,{100 * LEVEL:.4f},{len(points)},{levels}"
        words += [f"-a:{track}", "-i", f"track-{track}.wav", "-ea:100", envelope]
    return words + ["-a:all", "-o", "theirs.wav"]


def rest(files):
    """Restores the same state before each program: earlier output is on the disk, and the input files are in memory.

    Otherwise a program would be measured while the output of the previous one is still being written.
    """
    os.sync()
    for file in files:
        with open(file, "rb", buffering=0) as sound:
            while sound.read(1 << 20):
                pass


def in_turns(commands, files, tries=7):
    """The least wall-clock and processor seconds of each command, because other load can only add to them.

    The commands alternate, so that all meet the same conditions.
    """
    runs = [[] for _ in commands]
    for _ in range(tries):
        for index, command in enumerate(commands):
            rest(files)
            runs[index].append(programs.run(command))
    return [(min(run.seconds for run in some), min(run.work for run in some)) for some in runs]


def rows(tool, tell):
    programs.run(
        ["sox", "-R", "-n", "-r", str(RATE), "-c", "2", "-b", "16", "track-0.wav", "synth", str(SECONDS), "whitenoise",
         "gain", "-6"])
    files = [f"track-{track}.wav" for track in range(TRACKS)]
    for file in files[1:]:
        shutil.copy(files[0], file)
    pathlib.Path("export.yaml").write_text(manifest())
    (ours, work), (sox, _), (theirs, their_work) = in_turns([
        [tool, "render", "export.yaml", "--rate", str(RATE), "-o", "ours.wav", "--format", "16-bit", "--overwrite", "-q"],
        ["sox", "-m", *files, "sox.wav"],
        ecasound(),
    ], files)
    what = f"export {TRACKS} tracks × {SECONDS // 60} min, {sum(RAMPS)} ramps"
    tell(f"{what} / sox -m", f"{ours:.2f} s", f"{sox:.2f} s", ours / sox, 1)
    tell(f"{what} / ecasound", f"{ours:.2f} s", f"{theirs:.2f} s", ours / theirs, 0.3)
    tell("… and the work of all threads", f"{work:.2f} s", f"{their_work:.2f} s", work / their_work, 0.4)
