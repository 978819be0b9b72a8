#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Cuts the power of a recording, in effect, and recovers what the disk would have.

usage: power-loss.py PROGRAM PRELOAD

The recording runs with a library that writes down every change of a file and every fsync. From that record the files are
made as a disk may hold them: all that was written before a file's last fsync, and of the rest a random half. A file exists
only if its folder was brought to the disk after the file was made. `swiftlet recover` must finish every take, with at
least the sound that had been brought to the disk.
"""

import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time

TAKES = {"plain.wav": 192000, "mac.aiff": 192000, "core.caf": 192000, "wide.w64": 192000, "free.flac": 144000,
         "old.mp3": 192000, "aac.m4a": 192000}
HEADER = struct.Struct("=qqqq")


def records(log):
    data, place = log.read_bytes(), 0
    while place + HEADER.size <= len(data):
        kind, path_length, offset, length = HEADER.unpack_from(data, place)
        start = place + HEADER.size
        place = start + path_length + length
        if place > len(data):
            return
        yield chr(kind), data[start:start + path_length].decode(), offset, data[start + path_length:place]


def disk(log, folder, choose):
    """What each file holds after the cut, and how many of its bytes were safe; by name."""
    files, safe_names, waiting = {}, set(), set()
    for kind, path, offset, data in records(log):
        name = pathlib.Path(path).name
        if path == str(folder):
            if kind == "s":
                safe_names |= waiting
                waiting.clear()
            continue
        if name not in files:
            files[name] = {"changes": [], "synced": 0}
            waiting.add(name)
        if kind == "s":
            files[name]["synced"] = len(files[name]["changes"])
        else:
            files[name]["changes"].append((kind, offset, data))
    result = {}
    for name, file in files.items():
        content, safe = bytearray(), 0
        for number, (kind, offset, data) in enumerate(file["changes"]):
            if number >= file["synced"] and choose.random() < 0.5:
                continue
            if kind == "t":
                del content[offset:]
                content.extend(bytes(offset - len(content)))
            else:
                content.extend(bytes(max(0, offset + len(data) - len(content))))
                content[offset:offset + len(data)] = data
            if number < file["synced"]:
                safe = len(content)
        if name in safe_names:
            result[name] = (bytes(content), safe)
    return result


def main(program, preload):
    choose, faults = random.Random(time.time()), []
    for number in range(3):
        work = pathlib.Path(tempfile.mkdtemp(prefix="swiftlet-power-"))
        taps = "".join(f'  {name.replace(".", "-")}: {{ after: tone, record: "{name}" }}\n' for name in TAKES)
        (work / "power.yaml").write_text(
            "swiftlet: 1\nnodes:\n  tone: { effect: generator }\n  desk: { playback: mono, connect: none }\n"
            f"wires: [ tone -> desk ]\ntaps:\n{taps}")
        folder, log = work / "takes", work / "log"
        environment = dict(os.environ, LD_PRELOAD=preload, POWER_LOSS_FOLDER=str(folder), POWER_LOSS_LOG=str(log))
        with open(work / "words", "w") as words:
            run = subprocess.Popen([program, "run", "power.yaml", "--dummy", "--takes", "takes"], cwd=work,
                                   env=environment, stdout=subprocess.DEVNULL, stderr=words)
        deadline = time.time() + 60
        while time.time() < deadline and not (
                (folder / "plain.wav").exists() and (folder / "plain.wav").stat().st_size > 20000):
            time.sleep(0.02)
        time.sleep(choose.uniform(1.5, 3.5))
        run.kill()
        run.wait()
        held = disk(log, folder, choose)
        after = work / "after"
        after.mkdir()
        for name, (content, _) in held.items():
            (after / name).write_bytes(content)
        recovered = subprocess.run([program, "recover", "after"], cwd=work, capture_output=True, text=True)
        if recovered.returncode not in (0, 4):
            faults.append(f"recover ends with {recovered.returncode}: {recovered.stderr.strip()}")
        for name, rate in TAKES.items():
            _, safe = held.get(name, held.get(name + ".rf64", (b"", 0)))
            expected = max(0, safe - 6000) / rate
            if expected < 0.3:
                faults.append(f"{name}: only {safe} bytes were brought to the disk")
            decoded = subprocess.run(
                ["ffmpeg", "-v", "quiet", "-i", str(after / name), "-f", "s16le", "-ac", "1", "-ar", "48000", "-"],
                capture_output=True).stdout
            if len(decoded) / 96000 < expected - 0.01:
                faults.append(f"{name}: {expected:.2f} s were on the disk, {len(decoded) / 96000:.2f} s are in the take")
        if any(path.name not in TAKES for path in after.iterdir()):
            faults.append(f"left over: {sorted(path.name for path in after.iterdir())}")
        if faults:
            print("\n".join(faults) + f"\n(kept in {work})")
            return 1
        subprocess.run(["rm", "-rf", str(work)], check=True)
    print(f"power loss: {3 * len(TAKES)} takes recovered")
    return 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])))
