# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""A composition of eight tracks that plays as an item: the time from a seek or an edit to the new sound."""

import json
import pathlib

import programs

TRACKS, SECONDS, LIMIT = 8, 120, 50


def rows(tool, tell):
    tracks = ""
    for number in range(TRACKS):
        programs.run(["sox", "-R", "-n", "-r", "48000", "-c", "2", "-b", "24", f"track-{number}.wav",
                      "synth", str(SECONDS), "pinknoise", "gain", "-24"])
        # Two clips, so that a seek opens files.
        half = SECONDS // 2
        tracks += (
            f"    track-{number}:\n      pieces:\n        - {{ file: track-{number}.wav, to: {half} s }}\n"
            f"        - {{ file: track-{number}.wav, from: {half} s, to: {SECONDS} s }}\n"
            f"      mix:\n        - {{ from: 0 s, to: {SECONDS} s, volume: [ 0.2, 1 ] }}\n")
    wires = "".join(f"  - track-{number} -> desk\n" for number in range(TRACKS))
    pathlib.Path("show.yaml").write_text(
        f"swiftlet: 1\nnodes: {{ desk: {{ playback: stereo }} }}\nwires:\n{wires}timeline:\n  tracks:\n{tracks}")
    found = json.loads(programs.run([tool, "bench", "show.yaml", "--for", "0.1", "--seeks", "40", "--json"]).out)["composition"]
    for what, key, longest in [
        ("a seek", "seekSeconds", "longestSeekSeconds"), ("an edit", "editSeconds", "longestEditSeconds"),
    ]:
        middle, most = found[key] * 1e3, found[longest] * 1e3
        tell(f"{what} in {TRACKS} tracks as an item: call to sound", f"{middle:.1f} ms", f"{LIMIT} ms", middle / LIMIT, 1)
        tell("… the longest of 40", f"{most:.1f} ms", f"{LIMIT} ms", most / LIMIT, 1)
