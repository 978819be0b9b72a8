# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""The compiler refuses a value of the wrong dimension, with an error on its line.

usage: dimensions.py

A program is compiled twice against the modules of the last release build. With right values it compiles. With wrong
values each of its lines has an error, and no other line has one.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "Scripts"))
from modules import typecheck  # noqa: E402

HEAD = ("import Swiftlet\n"
        "func program(_ engine: AudioEngine, _ echo: EffectNode<Delay>, _ tone: EffectNode<Equalizer>,\n"
        "  _ room: EffectNode<Environment>, _ player: PlayerNode, _ strip: ChannelStrip) throws {\n")

# A line, a value of the right dimension, and values of wrong dimensions.
LINES = [
    ("echo.time.value = {}", ".milliseconds(300)", [".percent(3)", ".hertz(3)", ".decibels(3)", "0.3", "300"]),
    ("echo.feedback.value = {}", ".percent(30)", [".seconds(1)", ".decibels(-3)", "0.3"]),
    ("echo.lowPass.value = {}", ".hertz(8000)", [".seconds(1)", ".cents(100)"]),
    ("echo.sync.value = {}", ".quarter", [".seconds(1)"]),
    ("echo.pingPong.value = {}", ".left", [".percent(3)"]),
    ("tone.gain.value = {}", ".decibels(-3)", [".percent(50)", ".degrees(3)"]),
    ("tone.bands[0].bandwidth.value = {}", ".octaves(1)", [".hertz(100)"]),
    ("room.yaw.value = {}", ".degrees(90)", [".metres(1)"]),
    ("room.listenerX.value = {}", ".metres(1)", [".degrees(90)"]),
    ("player.gain.value = {}", ".decibels(-6)", [".percent(50)", ".seconds(1)", "0.5"]),
    ("strip.gain.value = {}", ".decibels(-6)", [".percent(50)", "0.5"]),
    ("try echo.time.ramp(to: {}, over: .seconds(1))", ".milliseconds(300)", [".hertz(3)", ".percent(3)"]),
    ("try echo.time.ramp(to: .seconds(1), over: {})", ".seconds(1)", [".hertz(3)"]),
    ("try strip.gain.ramp(to: {}, over: .seconds(1))", ".decibels(-6)", [".hertz(3)"]),
    ("try echo.mix.automate {{ $0.set({}, at: .seconds(1)) }}", ".percent(30)", [".seconds(1)"]),
    ("try echo.time.automate {{ $0.ramp(to: {}, from: .seconds(0), until: .seconds(1)) }}", ".seconds(1)", [".hertz(3)"]),
    ("try strip.send(to: tone, gain: {})", ".decibels(-6)", [".percent(50)"]),
    ("_ = try engine.attachOutput(ceiling: {})", ".decibels(-1)", [".seconds(1)"]),
    ("do {{ let _: Dimension.Level = {} }}", "player.gain.value", ["echo.time.value", "echo.mix.value", "tone.gain"]),
    ("do {{ let _: Duration = {} }}", "echo.time.value", ["echo.feedback.value"]),
]


def program(statements):
    """The program, and the line number of its first statement."""
    return HEAD + "\n".join("  " + statement for statement in statements) + "\n}\n", HEAD.count("\n") + 1


def main():
    right = [line.format(value) for line, value, _ in LINES]
    errors = typecheck(program(right)[0], "Right")
    for message in errors:
        print(f"dimensions: the program with right values does not compile: {message}", file=sys.stderr)

    wrong = [line.format(value) for line, _, values in LINES for value in values]
    source, first = program(wrong)
    output = typecheck(source, "Wrong")
    refused = {int(line.split(":")[1]) for line in output if re.match(r"\S+Wrong\.swift:\d+:", line)}
    for number, statement in enumerate(wrong, first):
        if number not in refused:
            print(f"dimensions: the compiler accepts '{statement}'", file=sys.stderr)
            errors.append(statement)
    for number in sorted(refused - set(range(first, first + len(wrong)))):
        print(f"dimensions: the compiler refuses line {number}, which is right", file=sys.stderr)
        errors.append(number)
    if not errors:
        print(f"dimensions: {len(right)} lines compile, {len(wrong)} are refused")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
