# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Compares the convolver with ir.lv2: a stereo response of two seconds, 64 frames at 48 kHz."""

import ctypes
import json
import math
import os
import pathlib
import random
import resource
import statistics
import struct
import sys
import time

import programs

RATE, BLOCK, LENGTH = 48000, 64, 96000
PLUGIN = pathlib.Path("/usr/lib/lv2/ir.lv2/ir.so")


def write_response(path):
    """Writes stereo noise that decays by 60 dB, as 32-bit floats."""
    source = random.Random(1)
    loudness = (0.5 * math.exp(-6.9 * frame / LENGTH) for frame in range(LENGTH) for _ in range(2))
    data = b"".join(struct.pack("<f", source.uniform(-level, level)) for level in loudness)
    head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 3, 2, RATE, RATE * 8, 8, 32)
    body = head + b"data" + struct.pack("<I", len(data)) + data
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


class Descriptor(ctypes.Structure):
    _fields_ = [
        ("uri", ctypes.c_char_p),
        ("instantiate", ctypes.CFUNCTYPE(
            ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, ctypes.c_char_p, ctypes.c_void_p)),
        ("connect_port", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p)),
        ("activate", ctypes.c_void_p),
        ("run", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32)),
    ]


def processor_time(call, count):
    """The processor time of all threads of this process for one call, in seconds."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    for _ in range(count):
        call()
    after = resource.getrusage(resource.RUSAGE_SELF)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / count


def measure_plugin(response):
    """Prints the processor time of ir.lv2 per cycle, without the overhead of the call. Needs a separate process."""
    # The plugin looks up its file by a hash, which its ports hold, in a list in the home folder.
    number = 5381
    for byte in response.encode():
        number = (number * 33 + byte) % 2**64
    home = pathlib.Path(os.environ["HOME"])
    (home / ".ir_save").write_text(f"[file-hashes]\n{number:016x}={response}\n")
    library = ctypes.CDLL(str(PLUGIN))
    library.lv2_descriptor.restype = ctypes.POINTER(Descriptor)
    descriptor = library.lv2_descriptor(0).contents
    features = (ctypes.c_void_p * 1)(None)
    plugin = descriptor.instantiate(
        ctypes.addressof(descriptor), float(RATE), b"/", ctypes.addressof(features))
    # Full length, no stretch, full width; only the wet signal, at the file's level.
    values = {port: 0 for port in range(4, 26)} | {port: 100 for port in [6, 8, 9, 10, 11, 12]} | {
        16: 1, 18: number >> 48 & 0xFFFF, 19: number >> 24 & 0xFFFFFF, 20: number & 0xFFFFFF}
    memory = {port: (ctypes.c_float * BLOCK)() for port in range(4)}
    memory |= {port: (ctypes.c_float * 1)(value) for port, value in values.items()}
    for port, floats in memory.items():
        descriptor.connect_port(plugin, port, ctypes.addressof(floats))
    source = random.Random(2)
    for frame in range(BLOCK):
        memory[0][frame] = memory[1][frame] = source.uniform(-0.5, 0.5)
    # The plugin reads the file on a thread after its first run, and stops permanently if its threads are late at first.
    for _ in range(30):
        descriptor.run(plugin, BLOCK)
        time.sleep(0.05)
    run, nothing = descriptor.run, ctypes.CDLL(None).labs
    nothing.argtypes = [ctypes.c_void_p]
    processor_time(lambda: run(plugin, BLOCK), 2000)
    cost = processor_time(lambda: run(plugin, BLOCK), 20000)
    if not any(memory[2]):
        sys.exit("ir.lv2 does not convolve")
    print(cost - processor_time(lambda: nothing(None), 20000))
    sys.stdout.flush()
    # Exits without ending the plugin's threads.
    os._exit(0)


def rows(tool, tell):
    """Reports both numbers. The working folder must be writable."""
    response = pathlib.Path("response.wav").resolve()
    write_response(response)
    pathlib.Path("hall.yaml").write_text(
        "swiftlet: 1\nnodes:\n  in: { capture: stereo }\n  out: { playback: stereo }\n"
        "  hall: { effect: convolver, files: { response: response.wav }, set: { mix: 100 } }\n"
        "wires:\n  - in -> hall -> out\n")
    ours, longest, theirs = [], [], []
    for _ in range(5):
        cost = json.loads(programs.run([tool, "bench", "hall.yaml", "--json", "--for", "1"]).out)
        ours.append(cost["seconds"])
        longest.append(cost["longestSeconds"] / cost["seconds"])
        found = programs.run(
            [sys.executable, "-B", __file__, str(response)], env=os.environ | {"HOME": str(response.parent)})
        theirs.append(float(found.out))
    own, other = statistics.median(ours), statistics.median(theirs)
    tell("convolver, 2 s stereo: a cycle / ir.lv2, all threads", f"{own * 1e6:.2f} µs", f"{other * 1e6:.2f} µs",
         own / other, 1)
    worst = statistics.median(longest)
    tell("… and its longest cycle / the mean", f"{own * worst * 1e6:.2f} µs", f"{own * 1e6:.2f} µs", worst, 3)


if __name__ == "__main__":
    measure_plugin(sys.argv[1])
