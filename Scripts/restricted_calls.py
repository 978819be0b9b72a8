# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC
"""Checks for Scripts/lint that some calls occur in one module only.

- only Sources/Disk creates files, folders, locks and sockets with a path
- only Sources/Threads starts threads and lets them sleep
- only Sources/Processes starts processes
"""

import re

# Calls that create or rename a file, folder or link. `openat` and `open` create files only with O_CREAT.
MAKES_FILES = re.compile(
    r"\bO_CREAT\b|\bO_TMPFILE\b|\bmk(?:dir|dirat|dtemp|stemp|ostemp|fifo|nod)\s*\(|\bf(?:d|re)?open\s*\(|"
    r"\bcreateFile\b|\bcreateDirectory\b|\bcreateSymbolicLink\b|\b(?:copy|move|link|replace)Item(?:At)?\b|"
    r"\.write\(to(?:File)?:(?! &)|\bforWriting|\bforUpdating|\bOutputStream\(|"
    r"(?<![.\w])(?:rename|renameat|renameat2|link|linkat|symlink|symlinkat|creat)\s*\(|\bshm_open\b|\bsf_open\s*\(|"
    r"\bmemfd_create\b|\blilv_state_save\b"
)
# Binding a socket to a path creates a file.
NAMES_SOCKET = re.compile(r"(?:\b(?:Glibc|Foundation)\.|(?<![.\w]))bind\s*\(")
MAY_NAME_SOCKETS = re.compile(r"Sources/Disk/NamedSocket\.swift$")
STARTS_PROCESSES = re.compile(r"\bProcess\(\)|\bposix_spawnp?\b|\bv?fork\s*\(|\bpopen\s*\(|\bexec[lv]p?e?\s*\(")
STARTS_THREADS = re.compile(r"\bThread\.detachNewThread\b|(?<![.\w])Thread\s*[({]|\bpthread_create\b")
MAY_START_THREADS = re.compile(r"Sources/Threads/")
# Calls that let a thread sleep. A sleeping task blocks no thread.
SLEEPS = re.compile(r"\b(?:u|nano|clock_nano)sleep\s*\(|\bThread\.sleep\b|(?:\b(?:Glibc|Foundation)\.|(?<![.\w]))sleep\s*\(")
# C code cannot call Sources/Threads: the calibration of the clock, and the crash handler.
MAY_SLEEP = re.compile(r"Sources/Threads/Waiting\.swift$|Sources/CRealtime/(realtime|crash)\.c$")
# The C file belongs to a program of the build, which writes Turtle to a path from the calling script.
MAY_MAKE_FILES = re.compile(r"Sources/(?:Disk|CSystem)/|Sources/CLV2/shim\.h$")


def check(source, complain):
    """Reports the calls in a source file that its module must not make."""
    for index, line in enumerate(source.code):
        if (made := MAKES_FILES.search(line)) and not MAY_MAKE_FILES.match(source.name):
            complain(source, index, f"'{made[0].strip('( ')}' makes or names a file: use NewFile, OpenFolder, LockFile "
                                    "or PrivateFolder of Sources/Disk")
        if NAMES_SOCKET.search(line) and not MAY_NAME_SOCKETS.match(source.name):
            complain(source, index, "'bind' makes the file of a socket: use NamedSocket of Sources/Disk")
        if (made := STARTS_THREADS.search(line)) and not MAY_START_THREADS.match(source.name):
            complain(source, index, f"'{made[0].strip('({ ')}' starts a thread: use startThread or JoinableThread of Sources/Threads")
        if (slept := SLEEPS.search(line)) and not MAY_SLEEP.match(source.name):
            complain(source, index, f"'{slept[0].rstrip('( ')}' sleeps: use Waiting of Sources/Threads, or wait for a "
                                    "semaphore, a condition or a descriptor")
        if (made := STARTS_PROCESSES.search(line)) and not re.match(r"Sources/(?:Processes|CSystem)/", source.name):
            complain(source, index, f"'{made[0].strip('( ')}' starts a process: use ChildProcess or ServiceProcess of "
                                    "Sources/Processes")
