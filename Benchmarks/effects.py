# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Compares built-in effects with common plugins, each pair in one process with the same input."""

import json
import pathlib

import programs

FRAMES = 64
CALF = "http://calf.sourceforge.net/plugins/"
# Ten active bands, and the same bands for the plugin, whose type 11 is a peak filter.
BELLS = ", ".join(f"{{ frequency: {30 * 2**band} Hz, gain: {3 if band % 2 else -3} dB }}" for band in range(10))
PEAKS = {
    f"filter{band + 1}_{key}": value
    for band in range(10)
    for key, value in {"freq": 30 * 2**band, "gain": 3 if band % 2 else -3, "type": 11, "q": 1.4, "enable": 1}.items()
}

# Description, the effect and its settings, the plugin and its settings, and the limit.
PAIRS = [
    (
        "reverb, all features on", "reverb",
        "pre-delay: 20 ms, modulation-depth: 0.2 ms, width: 100 %, low-cut: 100 Hz, high-cut: 8 kHz, balance: 50 %",
        CALF + "Reverb", {"predelay": 20, "diffusion": 1}, 0.6,
    ),
    ("equalizer, 10 bands", "equalizer", f"bands: [ {BELLS} ]", "http://eq10q.sourceforge.net/eq/eq10qs", PEAKS, 0.5),
    (
        "compressor at work", "compressor", "threshold: -40 dB, ratio: 4", CALF + "Compressor",
        {"threshold": 0.01, "ratio": 4}, 0.7,
    ),
    ("limiter at work", "limiter", "gain: 24 dB", CALF + "Limiter", {"level_in": 16, "limit": 0.891}, 0.5),
    ("limiter at rest", "limiter", "gain: 0", CALF + "Limiter", {"limit": 0.891}, 0.5),
    ("chorus", "chorus", "mix: 50 %", CALF + "MultiChorus", {}, 0.8),
    ("delay", "delay", "mix: 50 %, feedback: 50 %", CALF + "VintageDelay", {}, 0.5),
]


def manifest(effect, settings, plugin, values):
    theirs = ", ".join(f"{key}: {value}" for key, value in values.items())
    return f"""swiftlet: 1
nodes:
  in: {{ capture: stereo }}
  ours: {{ effect: {effect}, set: {{ {settings} }} }}
  theirs: {{ lv2: "{plugin}", set: {{ {theirs} }} }}
  one: {{ playback: stereo }}
  other: {{ playback: stereo }}
wires: [ in -> ours -> one, in -> theirs -> other ]
"""


def measure(tool, text):
    """Seconds per block of the effect and of the plugin, and of the worst block of the effect, in the run with the median ratio."""
    pathlib.Path("pair.yaml").write_text(text)
    runs = []
    for _ in range(3):
        command = [tool, "bench", "pair.yaml", "--json", "--for", "3", "--block", str(FRAMES)]
        nodes = json.loads(programs.run(command).out)["nodes"]
        ours, theirs = (next(node for node in nodes if node["name"] == name) for name in ["ours", "theirs"])
        runs.append((ours["seconds"] / theirs["bareSeconds"], ours["seconds"], theirs["bareSeconds"], ours["worstSeconds"]))
    return sorted(runs)[1]


def rows(tool, tell):
    for what, effect, settings, plugin, values, limit in PAIRS:
        ratio, ours, theirs, worst = measure(tool, manifest(effect, settings, plugin, values))
        share = [f"{seconds / FRAMES * 1e9:.1f} ns" for seconds in (ours, theirs)]
        tell(f"{what}, a frame; worst cycle {worst * 1e6:.0f} µs", *share, ratio, limit)
