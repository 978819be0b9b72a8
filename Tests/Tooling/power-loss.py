#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Simulates a power cut during a recording, its end and its recovery, and recovers the files that the disk would have.

usage: power-loss.py PROGRAM PRELOAD

The program runs with a library that logs every change of a file, every change of a name and every fsync. From that log,
up to a random moment, the files are created as a disk may have them: all writes before a file's last fsync, and a
random half of the later ones; all changes of names in a folder before the folder's last fsync, and the first few of the
later ones. `swiftlet recover` must finish every take with at least the sound that was on the disk, and leave no other
files.
"""

import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

TAKES = {"plain.wav": 192000, "mac.aiff": 192000, "core.caf": 192000, "wide.w64": 192000, "free.flac": 144000,
         "old.mp3": 192000, "aac.m4a": 192000}
HEADER = struct.Struct("=qqqqq")
RUNS, CUTS = 3, 3
FOLDER = "takes"


def records(log):
    """Each record with its position in the log."""
    data, position, found = log.read_bytes() if log.exists() else b"", 0, []
    while position + HEADER.size <= len(data):
        kind, number, path_length, offset, length = HEADER.unpack_from(data, position)
        start = position + HEADER.size
        end = start + path_length + length
        if end > len(data):
            break
        found.append((position, chr(kind), number, data[start:start + path_length].decode(), offset,
                      data[start + path_length:end]))
        position = end
    return found


class Disk:
    """The files and names on a disk, and the changes that are not safe yet."""

    def __init__(self, folder):
        self.folder = str(folder)
        self.files = []  # {"base", "changes": [(log position, kind, offset, data)], "synced": log position}
        self.names = {}  # path: index in files, as on the disk
        self.current = {}  # path: index in files, as the program sees them
        self.numbers = {}  # inode number: index in files; the number of a deleted file is used again
        self.waiting = {}  # folder: [(position, kind, path, index, new path)]
        self.sound = {}  # index: the take whose sound is recorded into the file

    def add(self, number, content=b""):
        self.files.append({"base": content, "changes": [], "synced": 0})
        self.numbers[number] = len(self.files) - 1
        return self.numbers[number]

    def put(self, path, content, number):
        """Adds a file that is on the disk."""
        self.names[path] = self.current[path] = self.add(number, content)

    def index(self, number):
        return self.numbers[number] if number in self.numbers else self.add(number)

    def replay(self, some_records):
        for position, kind, number, path, offset, data in some_records:
            if kind in "wt":
                self.files[self.index(number)]["changes"].append((position, kind, offset, data))
            elif kind == "s" and self.is_folder(path):
                self.sync_names(path, offset)
            elif kind == "s":
                file = self.files[self.index(number)]
                file["synced"] = max(file["synced"], offset)
            elif kind == "c" and path in self.current and self.current[path] == self.numbers.get(number):
                continue  # the file exists already
            else:
                index = self.add(number) if kind == "c" else self.index(number)
                new = data.decode()
                change = (position, kind, path, index, new)
                self.waiting.setdefault(os.path.dirname(new or path), []).append(change)
                self.rename(change, self.current)
                for name in TAKES:
                    if kind == "c" and os.path.basename(path) in (name, name + ".rf64"):
                        self.sound[index] = name

    def is_folder(self, path):
        return path == self.folder or any(path == os.path.dirname(name) for name in self.names) or path in self.waiting

    def sync_names(self, folder, before):
        waiting = self.waiting.pop(folder, [])
        for change in waiting:
            if change[0] < before:
                self.rename(change, self.names)
        self.waiting[folder] = [change for change in waiting if change[0] >= before]

    @staticmethod
    def rename(change, names):
        _, kind, path, index, new = change
        if kind in "um":
            names.pop(path, None)
        if kind != "u":
            names[new or path] = index

    def cut(self, choose):
        """The content of each file after a power cut, by path."""
        for waiting in self.waiting.values():
            for change in waiting[:choose.randint(0, len(waiting))]:
                self.rename(change, self.names)
        self.waiting = {}
        return {path: self.content(self.files[index], choose) for path, index in self.names.items()}

    @staticmethod
    def content(file, choose):
        content = bytearray(file["base"])
        for position, kind, offset, data in file["changes"]:
            if position >= file["synced"] and choose.random() < 0.5:
                continue
            if kind == "t":
                del content[offset:]
                content.extend(bytes(offset - len(content)))
            else:
                content.extend(bytes(max(0, offset + len(data) - len(content))))
                content[offset:offset + len(data)] = data
        return bytes(content)

    def safe_seconds(self):
        """The seconds of sound of each take that are on the disk in any case."""
        found = {}
        for index, name in self.sound.items():
            ends = [offset + len(data) for position, kind, offset, data in self.files[index]["changes"]
                    if kind == "w" and position < self.files[index]["synced"]]
            found[name] = max(found.get(name, 0), (max(ends, default=0) - 6000) / TAKES[name])
        return found


def lay_out(held, old_folder, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for path, content in held.items():
        file = folder / os.path.relpath(path, old_folder)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def environment(preload, folder, log):
    return dict(os.environ, LD_PRELOAD=preload, POWER_LOSS_FOLDER=str(folder), POWER_LOSS_LOG=str(log))


def recover(program, folder, faults, **options):
    done = subprocess.run([program, "recover", folder.name], cwd=folder.parent, capture_output=True, text=True, **options)
    if done.returncode not in (0, 4):
        faults.append(f"recover exits with {done.returncode}: {done.stderr.strip()}")


def check(folder, safe, faults):
    for name in TAKES:
        decoded = subprocess.run(
            ["ffmpeg", "-v", "quiet", "-i", str(folder / name), "-f", "s16le", "-ac", "1", "-ar", "48000", "-"],
            capture_output=True).stdout
        if len(decoded) / 96000 < safe.get(name, 0) - 0.01:
            faults.append(f"{name}: {safe[name]:.2f} s were on the disk, {len(decoded) / 96000:.2f} s are in the take")
    if rest := sorted(path.name for path in folder.iterdir() if path.name not in TAKES):
        faults.append(f"left over: {rest}")


def record(program, preload, work, choose, is_ended):
    """Records takes. Returns the length of the log when the program was asked to end."""
    folder, log = work / FOLDER, work / "log"
    with open(work / "words", "w") as words:
        run = subprocess.Popen([program, "run", "power.yaml", "--dummy", "--takes", FOLDER], cwd=work,
                               env=environment(preload, folder, log), stdout=subprocess.DEVNULL, stderr=words)
    try:
        deadline = time.time() + 60
        while time.time() < deadline and not (
                (folder / "plain.wav").exists() and (folder / "plain.wav").stat().st_size > 20000):
            time.sleep(0.02)
        time.sleep(choose.uniform(1.5, 3.5))
        position = log.stat().st_size
        if is_ended:
            run.send_signal(signal.SIGINT)
            run.wait(60)
    finally:
        if run.poll() is None:
            run.kill()
            run.wait()
    return position


def cut_recovery(program, preload, work, held, safe, choose, faults):
    """Simulates power cuts at several moments of the recovery, and recovers the remaining files."""
    folder, log, after = work / "first", work / "log-of-recovery", work / "second"
    log.unlink(missing_ok=True)
    lay_out(held, work / FOLDER, folder)
    files = [file for file in folder.rglob("*") if file.is_file()]
    numbers = {str(file): (file.read_bytes(), file.stat().st_ino) for file in files}
    recover(program, folder, faults, env=environment(preload, folder, log))
    check(folder, safe, faults)
    changes = records(log)
    for _ in range(CUTS):
        disk = Disk(folder)
        for path, (content, number) in numbers.items():
            disk.put(path, content, number)
        disk.replay(changes[:choose.randint(0, len(changes))])
        lay_out(disk.cut(choose), folder, after)
        recover(program, after, faults)
        check(after, safe, faults)
        if faults:
            return


def main(program, preload):
    seed = int(os.environ.get("SEED", time.time()))
    choose, faults, cuts = random.Random(seed), [], 0
    for number in range(RUNS):
        work = pathlib.Path(tempfile.mkdtemp(prefix="swiftlet-power-"))
        taps = "".join(f'  {name.replace(".", "-")}: {{ after: tone, record: "{name}" }}\n' for name in TAKES)
        (work / "power.yaml").write_text(
            "swiftlet: 1\nnodes:\n  tone: { effect: generator }\n  desk: { playback: mono, connect: none }\n"
            f"wires: [ tone -> desk ]\ntaps:\n{taps}")
        is_ended = number > 0
        position = record(program, preload, work, choose, is_ended)
        changes = records(work / "log")
        first = sum(1 for change in changes if change[0] < position)
        for _ in range(CUTS if is_ended else 1):
            disk = Disk(work / FOLDER)
            disk.replay(changes[:choose.randint(first, len(changes)) if is_ended else len(changes)])
            safe = disk.safe_seconds()
            faults += [f"{name}: only {safe.get(name, 0):.2f} s were on the disk before the cut"
                       for name in TAKES if safe.get(name, 0) < 0.3]
            held = disk.cut(choose)
            cut_recovery(program, preload, work, held, safe, choose, faults)
            cuts += 1 + CUTS
            if faults:
                print("\n".join(faults) + f"\n(kept in {work}; SEED={seed})")
                return 1
        shutil.rmtree(work)
    print(f"power loss: {cuts} cuts, {len(TAKES)} takes recovered after each")
    return 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])))
