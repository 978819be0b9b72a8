// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletLV2

// Started by Swiftlet to audit a plugin; no program for people.
// Plugins made with Qt abort without a display, unless told to do without.
if getenv("DISPLAY") == nil, getenv("WAYLAND_DISPLAY") == nil { setenv("QT_QPA_PLATFORM", "offscreen", 0) }
// A crash ends this process by its signal, which is reported: nothing else is to be printed or waited for.
for number in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP] { signal(number, SIG_DFL) }
let status = AuditChild.run(Array(CommandLine.arguments.dropFirst()))
if status == AuditChild.usageStatus {
  let text = "swiftlet-audit-host is started by Swiftlet, to audit plugins\n"
  write(2, text, text.utf8.count)
}
// Without the handlers that a plugin may have left.
_exit(status)
