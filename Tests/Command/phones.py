# SPDX-FileCopyrightText: 2026 The Swiftlet authors
# SPDX-License-Identifier: ISC

"""Headphones: a client with physical ports. A line `in` on standard input registers them, `out` unregisters them.

`in left` registers one of the two.
"""

import ctypes
import sys

jack = ctypes.CDLL("libjack.so.0")
jack.jack_client_open.restype = ctypes.c_void_p
jack.jack_port_register.restype = ctypes.c_void_p
status = ctypes.c_int()
client = ctypes.c_void_p(jack.jack_client_open(b"phones", 1, ctypes.byref(status)))
jack.jack_activate(client)
IS_INPUT, IS_PHYSICAL, IS_TERMINAL = 1, 4, 16
ports = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "in":
        for name in [word.encode() for word in words[1:]] or (b"left", b"right"):
            flags = ctypes.c_ulong(IS_INPUT | IS_PHYSICAL | IS_TERMINAL)
            kind = b"32 bit float mono audio"
            port = jack.jack_port_register(client, name, kind, flags, ctypes.c_ulong(0))
            ports.append(ctypes.c_void_p(port))
    else:
        while ports:
            jack.jack_port_unregister(client, ports.pop())
jack.jack_client_close(client)
