# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Runs a command on a new pseudoterminal, types keys when it has printed given texts, and prints all its output.

usage: terminal.py COLUMNS STEPS COMMAND [ARGUMENT...]

STEPS is JSON: [["text to wait for", "keys to type"], ...]. A name such as "SIGINT" instead of keys sends that
signal; "COLUMNS=40" and "ROWS=4" set the size of the terminal.
"""
import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

columns, steps, command = int(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:]
pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.execv(command[0], command)
rows = 24


def resize():
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


resize()
written, seen, end = b"", 0, time.monotonic() + 60
while time.monotonic() < end:
    ready, _, _ = select.select([terminal], [], [], 0.05)
    if ready:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        written += piece
    while steps and steps[0][0].encode() in written[seen:]:
        seen = len(written)
        keys = steps.pop(0)[1]
        if keys.startswith("SIG"):
            os.kill(pid, getattr(signal, keys))
        elif keys.startswith("COLUMNS="):
            columns = int(keys[8:])
            resize()
        elif keys.startswith("ROWS="):
            rows = int(keys[5:])
            resize()
        else:
            os.write(terminal, keys.encode())
else:
    os.kill(pid, signal.SIGKILL)
# Whether the command has restored echo and line mode.
modes = termios.tcgetattr(terminal)[3]
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.stdout.buffer.write(written)
sys.stdout.buffer.flush()
print("\nrestored" if modes & termios.ECHO and modes & termios.ICANON else "\nraw")
sys.exit(status)
