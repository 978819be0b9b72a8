# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Compares the load that `check --budget` estimates for twenty manifests with the load that `run` measures."""

import json
import pathlib
import re
import shutil
import subprocess

import convolver
import programs

RATE, RUN_SECONDS, TRIES = 48000, 6, 3
# The greatest deviation of an estimate from the load, as a share of the load.
TOLERANCE = 0.3
AMP = "http://lv2plug.in/plugins/eg-amp"
MANIFESTS = pathlib.Path("manifests").resolve()
LOAD = re.compile(r"load: ([\d.]+) % of the period in the median cycle, more than ([\d.]+) % in one of twenty")


def manifest(nodes, wires, width="stereo"):
    lines = "".join(f"  {name}: {what}\n" for name, what in nodes)
    rows = "".join(f"  - {wire}\n" for wire in wires)
    return (
        f"swiftlet: 1\nnodes:\n  in: {{ capture: {width} }}\n  out: {{ playback: stereo }}\n{lines}"
        f"wires:\n{rows}")


def chain(what, count, width="stereo"):
    names = [f"n{number}" for number in range(count)]
    return manifest([(name, what) for name in names], [" -> ".join(["in", *names, "out"])], width)


def parallel(what, count, width="stereo"):
    names = [f"n{number}" for number in range(count)]
    wires = [wire for name in names for wire in (f"in -> {name}", f"{name} -> out: -60 dB")]
    return manifest([(name, what) for name in names], wires, width)


def mixed(count):
    """Mixer channels: each has a gate, an equalizer, a compressor and a strip with a send, and every fourth a tap."""
    nodes, wires, taps = [("main", "{ mixer: stereo }"), ("hall", "{ effect: reverb }")], [], ""
    for number in range(count):
        effects = [f"{effect}-{number}" for effect in ("gate", "equalizer", "compressor")]
        nodes += [(name, f"{{ effect: {name.split('-')[0]} }}") for name in effects]
        wires += [" -> ".join(["in", *effects]), f"{effects[-1]} -> main: {{ gain: -20 dB, pan: 0.3, sends: {{ hall: -20 dB }} }}"]
        if number % 4 == 0:
            taps += f'  tap-{number}: {{ after: {effects[-1]}, record: "{{tap}}.wav" }}\n'
    return manifest(nodes, wires + ["hall -> main", "main -> out"]) + "taps:\n" + taps


def players(what, count):
    nodes = "".join(f"  p{number}: {{ player: song.wav, loop: forever{what} }}\n" for number in range(count))
    wires = "".join(f"  - p{number} -> out: -30 dB\n" for number in range(count))
    return f"swiftlet: 1\nnodes:\n  out: {{ playback: stereo }}\n{nodes}wires:\n{wires}"


# No effect amplifies, because the output of a row of amplifying effects would be muted.
REVERB, DELAY = "{ effect: reverb, set: { mix: 5 % } }", "{ effect: delay, set: { mix: 50 %, feedback: 0 % } }"
CONVOLVER = "{ effect: convolver, files: { response: response.wav } }"
BANDS = ", ".join(f"{{ frequency: {hertz} Hz, gain: -0.1 dB }}" for hertz in (100, 400, 1600, 6400))
EQUALIZER = f"{{ effect: equalizer, set: {{ bands: [ {BANDS} ] }} }}"
PLAIN, STRETCHED = "", ", speed: 0.9, pitch: 2"
# Description, function from size to manifest, period, and target load in percent. The function is None for manifests of
# Swiftlet, which are files.
SHAPES = [
    ("vocal", None, 64, None),
    ("guitar", None, 128, None),
    ("band", None, 256, None),
    ("room", None, 64, None),
    ("synth", None, 128, None),
    ("ear-return", None, 512, None),
    ("parallel", None, 64, None),
    ("reverbs in a row", lambda size: chain(REVERB, size), 64, 10),
    ("reverbs in a row", lambda size: chain(REVERB, size), 64, 60),
    ("reverbs in a row", lambda size: chain(REVERB, size), 256, 90),
    ("reverbs in parallel", lambda size: parallel(REVERB, size), 1024, 40),
    ("convolvers in parallel", lambda size: parallel(CONVOLVER, size), 64, 25),
    ("convolvers in parallel", lambda size: parallel(CONVOLVER, size), 512, 60),
    ("equalizers in a row", lambda size: chain(EQUALIZER, size), 64, 30),
    ("equalizers in a row", lambda size: chain(EQUALIZER, size), 1024, 75),
    ("delays in a row", lambda size: chain(DELAY, size), 128, 15),
    ("a mixer", mixed, 128, 50),
    ("players", lambda size: players(PLAIN, size), 64, 5),
    ("stretched players", lambda size: players(STRETCHED, size), 256, 3),
    ("amplifiers (LV2)", lambda size: chain(f'{{ lv2: "{AMP}" }}', size), 64, 5),
]


def write_files():
    convolver.write_response(pathlib.Path("response.wav"))
    programs.run(["sox", "-R", "-n", "-r", str(RATE), "-c", "2", "-b", "24", "song.wav", "synth", "20", "pinknoise", "gain", "-12"])
    # The same level as the noise that `check --budget` feeds to inputs.
    for width, name in [(1, "mono"), (2, "stereo")]:
        programs.run(["sox", "-R", "-n", "-r", str(RATE), "-c", str(width), "-b", "24", f"{name}.wav",
                      "synth", "20", "whitenoise", "gain", "-20"])
    chord = bytes((48, 55, 60, 64))
    on = b"".join(bytes((0, 0x90, note, 90)) for note in chord)
    # Half a second: a beat of 480 ticks lasts half a second.
    off = b"".join((b"\x83\x60" if index == 0 else b"\0") + bytes((0x80, note, 0)) for index, note in enumerate(chord))
    track = (on + off) * 40 + b"\0\xff\x2f\0"
    pathlib.Path("chords.mid").write_bytes(
        b"MThd" + (6).to_bytes(4, "big") + bytes((0, 0, 0, 1)) + (480).to_bytes(2, "big")
        + b"MTrk" + len(track).to_bytes(4, "big") + track)


def estimate(tool, file, period):
    """The load in percent that `check --budget` estimates."""
    words = programs.run([tool, "check", file, "--budget", "--json", "--period", str(period), "-q"]).out
    found = json.loads(words)["manifests"][0]
    return found["load"] * 100, found["highLoad"] * 100


def measured(tool, file, period, text):
    """The load in percent that `run` measures with a file at each input node."""
    command = [tool, "run", file, f"--dummy={RATE}/{period}", "--for", str(RUN_SECONDS), "--takes", "takes"]
    for name, what in re.findall(r"^ +([\w-]+): +\{ (capture: \w+|midi-in:)", text, re.M):
        command += ["--play", f"{name}={'chords.mid' if what == 'midi-in:' else what.split()[1] + '.wav'}"]
    shutil.rmtree("takes", ignore_errors=True)
    # Other programs may cause lost frames in takes (status 4), which does not affect the median cycle.
    ended = subprocess.run(command, capture_output=True, text=True, errors="replace")
    found = LOAD.search(ended.stderr)
    if ended.returncode not in (0, 4) or not found:
        raise programs.Failed(f"run at {period} frames prints no load, and ends with {ended.returncode}: {ended.stderr[-300:]}")
    return float(found[1]), float(found[2])


def sized(tool, shape, period, percent):
    """The number of nodes that cause the given load on this machine, extrapolated from two estimates."""
    few, more = 8, 24
    loads = []
    for size in (few, more):
        pathlib.Path("size.yaml").write_text(shape(size))
        loads.append(estimate(tool, "size.yaml", period)[0])
    each = max((loads[1] - loads[0]) / (more - few), 0.001)
    return max(1, round(few + (percent - loads[0]) / each))


def rows(tool, tell):
    write_files()
    for what, shape, period, percent in SHAPES:
        if shape is None:
            text = (MANIFESTS / f"{what}.yaml").read_text()
        else:
            size = sized(tool, shape, period, percent)
            text, what = shape(size), f"{size} {what}" if what[0] != "a" or what[1] != " " else f"{what} of {size}"
        pathlib.Path("load.yaml").write_text(text)
        pairs = []
        for _ in range(TRIES):
            # Both in direct succession, so that the machine's other load is similar for both.
            ours, theirs = estimate(tool, "load.yaml", period)[0], measured(tool, "load.yaml", period, text)[0]
            pairs.append((ours / theirs, ours, theirs))
        ratio, ours, theirs = sorted(pairs)[TRIES // 2]
        tell(f"load of {what}, {period} frames: estimate / run", f"{ours:.1f} %", f"{theirs:.1f} %", abs(ratio - 1), TOLERANCE, " off")
