# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Private JACK servers for measurements."""

import os
import statistics
import subprocess
import time

import programs


class Server:
    """A private JACK server, with real-time priority if this user may set it."""

    def __init__(self, *options):
        self.name = f"swiftlet-bench-{os.getpid()}"
        for scheduling in ["-R", "-r"]:
            self.process = subprocess.Popen(
                ["jackd", "-n", self.name, scheduling, "-d", "dummy", *options],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(50):
                if subprocess.run(["jack_lsp", "-s", self.name], capture_output=True, env=self.environment).returncode == 0:
                    return
                time.sleep(0.1)
            self.end()
        raise programs.Failed("no JACK server starts here")

    @property
    def environment(self):
        return os.environ | {"JACK_DEFAULT_SERVER": self.name, "JACK_NO_START_SERVER": "1"}

    def end(self):
        self.process.terminate()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def start(self, *command):
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)

    def freewheel(self, is_on):
        """Turns freewheeling on or off."""
        programs.run(["jack_freewheel", "y" if is_on else "n"], env=self.environment, timeout=60)

    def load(self, *command):
        """The DSP load in percent while a client runs: the median of eight seconds without the first two."""
        client = self.start(*command)
        meter = subprocess.Popen(
            ["stdbuf", "-oL", "jack_cpu_load"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=self.environment)
        try:
            lines = (line for line in meter.stdout if "DSP load" in line)
            readings = [float(next(lines).split()[-1]) for _ in range(10)]
            if client.poll() is not None:
                raise programs.Failed(f"{command[0]} ended early")
            return statistics.median(readings[2:])
        finally:
            for process in [meter, client]:
                process.terminate()
                process.wait()
