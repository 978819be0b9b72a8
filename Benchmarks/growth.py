# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""The processor time of ten times as many nodes, wires or lanes, and of an edit of a large graph while it plays."""

import json
import pathlib
import statistics

import programs

TIMES = 12
PLAN_SECONDS, PICTURE_SECONDS = 1, 3
EDIT_SECONDS, ADOPTING = 0.05, 1.1


def manifest(nodes, wires, timeline=""):
    lines = "".join(f"  {name}: {what}\n" for name, what in nodes)
    rows = "".join(f"  - {wire}\n" for wire in wires)
    return f"swiftlet: 1\nnodes:\n  in: {{ capture: mono }}\n  out: {{ playback: mono }}\n{lines}wires:\n{rows}{timeline}"


def gains(count):
    return [(f"g{number}", "{ effect: gain }") for number in range(count)]


def row(names):
    return " -> ".join(["in", *names, "out"])


def chain(count):
    """in -> g0 -> g1 -> ... -> out"""
    return manifest(gains(count), [row(f"g{number}" for number in range(count))])


def parallel(count):
    """Gains in parallel between the capture node and one mixer."""
    return manifest(
        [*gains(count), ("mix", "{ mixer: mono }")], [f"in -> g{number} -> mix" for number in range(count)] + ["mix -> out"])


def comb(count):
    """A chain of gains, each of which also feeds a mixer."""
    names = [f"g{number}" for number in range(count)]
    return manifest(
        [*gains(count), ("mix", "{ mixer: mono }")], [" -> ".join(["in", *names])] + [f"{name} -> mix" for name in names] + ["mix -> out"])


def hub(wires):
    """One mixer with `wires` wires into or out of it."""
    ways = wires // 2
    nodes = gains(2 * ways) + [("hub", "{ mixer: mono }"), ("mix", "{ mixer: mono }")]
    into = [f"in -> g{number} -> hub" for number in range(ways)]
    return manifest(nodes, into + [f"hub -> g{number} -> mix" for number in range(ways, 2 * ways)] + ["mix -> out"])


def lanes(count):
    """A chain in which a lane moves each gain."""
    moves = "".join(f"    g{number}.gain: [ {{ from: 0 s, to: 1 s, value: [ 0 dB, -6 dB ] }} ]\n" for number in range(count))
    return manifest(gains(count), [row(f"g{number}" for number in range(count))], f"timeline:\n  lanes:\n{moves}")


# Description, function from count to manifest, and the smaller count; the larger count is ten times that.
SHAPES = [
    ("a chain of 10,000", chain, 1000),
    ("10,000 in parallel", parallel, 1000),
    ("a comb of 10,000", comb, 1000),
    ("a hub with 5,000 wires", hub, 500),
    ("2,000 lanes", lanes, 200),
]


def work(command):
    """The processor time of a command and its children in seconds: the median of three runs."""
    return statistics.median(programs.run(command).work for _ in range(3))


def rows(tool, tell):
    # So quiet that no sum mutes the output: the hub amplifies by a factor of six million.
    sound = ["-r", "48000", "-c", "1", "-b", "32", "-e", "floating-point", "short.wav"]
    programs.run(["sox", "-n", *sound, "synth", "0.05", "sine", "440", "vol", "0.000000001"])
    for what, text, count in SHAPES:
        for size in [count, 10 * count]:
            pathlib.Path(f"{size}.yaml").write_text(text(size))
        for name, command in [
            ("plan", lambda size: [tool, "graph", f"{size}.yaml", "--format", "plan"]),
            ("picture", lambda size: [tool, "graph", f"{size}.yaml", "--format", "svg"]),
            ("render", lambda size: [tool, "render", f"{size}.yaml", "--input", "in=short.wav", "--output", "out=out.wav", "--overwrite"]),
        ]:
            small, large = work(command(count)), work(command(10 * count))
            tell(f"{name} of {what} / a tenth of it", f"{large:.2f} s", f"{small:.2f} s", large / small, TIMES)
            limit = {"plan": PLAN_SECONDS, "picture": PICTURE_SECONDS}.get(name)
            if limit:
                tell("… and itself, in seconds of processor time", f"{large:.2f} s", f"{limit} s", large, limit, " s")
    for what, text, count in SHAPES[:3]:
        pathlib.Path("edited.yaml").write_text(text(10 * count))
        edit = json.loads(programs.run([tool, "bench", "edited.yaml", "--for", "0.1", "--edits", "12", "--json"]).out)["edit"]
        call, adopting, other = edit["callSeconds"], edit["adoptingSeconds"], edit["otherSeconds"]
        tell(f"an edit of {what} that play: the call", f"{call * 1e3:.1f} ms", f"{EDIT_SECONDS * 1e3:.0f} ms", call / EDIT_SECONDS, 1)
        tell("… and the cycle that adopts it / others", f"{adopting * 1e6:.0f} µs", f"{other * 1e6:.0f} µs", adopting / other, ADOPTING)
