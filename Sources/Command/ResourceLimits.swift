// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The resource limits of the shell that started the program (`ulimit`), checked first.
///
/// Below them, threads and queues cannot be created, and libraries then crash or wait forever. This file uses the C
/// library alone, so that it works within any limit.
enum ResourceLimits {
  /// The minimum number of free file descriptors that a command needs: `ulimit -n`.
  static let descriptors = 64

  /// The size of the largest file that a private JACK server creates, rounded up, in MiB: `ulimit -f`.
  private static let fileSize: UInt64 = 128
  /// The default stack size of a thread in MiB, and the minimum number of threads of a command: `ulimit -s`.
  private static let usualStack: UInt64 = 8, threads: UInt64 = 24

  /// The memory that a command needs, in MiB.
  struct Need: Equatable {
    /// Writable memory, including the stacks of threads: `ulimit -d`.
    var data: UInt64
    /// Address space, including the program and its libraries: `ulimit -v`.
    var addresses: UInt64
  }

  /// Returns the minimum memory that a command needs, with a graph of a few nodes.
  ///
  /// Measured with a release build under `prlimit` on x86-64 and rounded up; docs/commands.md states the same
  /// figures. Threads get stacks of 8 MiB each, so commands that play need the most.
  static func need(of command: String) -> Need {
    switch command {
    case "run": Need(data: 256, addresses: 1536)
    case "render", "bench", "graph", "check", "show", "list", "recover": Need(data: 128, addresses: 512)
    default: Need(data: 96, addresses: 384)
    }
  }

  /// Ends the program with one sentence and status 3 if a limit is too low for a command.
  ///
  /// - Parameter words: The arguments after the program's name.
  static func check(_ words: [String]) {
    let command = words.first ?? ""
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      let free = freeDescriptors(below: limit.rlim_cur)
      if free < descriptors {
        end(
          "only \(free) more files can be opened, and \(descriptors) are needed; "
            + "raise the limit, as in 'ulimit -n 1024'")
      }
    }
    var need = need(of: command)
    // The figures hold for stacks of 8 MiB.
    if getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &limit) == 0, limit.rlim_cur < rlim_t.max >> 1 {
      let more = (max(UInt64(limit.rlim_cur >> 20), usualStack) - usualStack) * threads
      need = Need(data: need.data + more, addresses: need.addresses + more)
    }
    if command == "run", words.contains(where: { $0.hasPrefix("--dummy") }),
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
      limit.rlim_cur < fileSize << 20
    {
      end(
        "the limit on the size of files (ulimit -f) is \(limit.rlim_cur >> 20) MiB, and a JACK server makes files of "
          + "\(fileSize) MiB; raise it, as in 'ulimit -f unlimited'")
    }
    for (resource, option, mebibytes) in [
      (RLIMIT_DATA, "-d", need.data), (RLIMIT_AS, "-v", need.addresses),
    ] {
      guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0, limit.rlim_cur < mebibytes << 20
      else {
        continue
      }
      end(
        "the limit on memory (ulimit \(option)) is \(limit.rlim_cur >> 20) MiB, and \(mebibytes) MiB are needed; "
          + "raise it, as in 'ulimit \(option) unlimited'")
    }
  }

  /// The number of descriptors that can still be opened, counted up to ``descriptors``.
  private static func freeDescriptors(below limit: rlim_t) -> Int {
    var free = 0
    var number = Int32(0)
    while free < descriptors, number < limit {
      if fcntl(number, F_GETFD) == -1 { free += 1 }
      number += 1
    }
    return free
  }

  private static func end(_ sentence: String) -> Never {
    let line = "swiftlet: error: \(sentence)\n"
    _ = write(2, line, line.utf8.count)
    // Not `exit`: exit handlers of libraries may need what the limit denies.
    _exit(ExitStatus.failedHost.rawValue)
  }
}
