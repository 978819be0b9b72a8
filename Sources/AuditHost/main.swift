// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletLV2

// Started by Swiftlet to audit a plugin; not for direct use.
// Qt-based plugins abort without a display unless this platform is set.
if getenv("DISPLAY") == nil, getenv("WAYLAND_DISPLAY") == nil { setenv("QT_QPA_PLATFORM", "offscreen", 0) }
// A crash ends this process by its signal, which Swiftlet reports. This disables other crash reporters.
for number in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP] { signal(number, SIG_DFL) }
let status = AuditChild.run(Array(CommandLine.arguments.dropFirst()))
if status == AuditChild.usageStatus {
  let text = "swiftlet-audit-host is started by Swiftlet, to audit plugins\n"
  write(2, text, text.utf8.count)
}
// Exits without running the exit handlers that a plugin may have installed.
_exit(status)
