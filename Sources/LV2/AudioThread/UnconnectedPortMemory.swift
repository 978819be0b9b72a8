// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// The memory for unconnected ports: silence to read, and memory to write to.
///
/// All plugins share it. If each plugin had its own, with the length of the longest block, their addresses would
/// conflict in the cache. A graph gives every port a bus, so only rehearsals write here, one at a time.
enum UnconnectedPortMemory {
  private struct Memory: @unchecked Sendable {
    // @unchecked: zeros that no thread writes, and samples that no thread reads.
    let silence: UnsafeMutablePointer<Float>, spare: UnsafeMutablePointer<Float>
  }
  /// The number of unused frames after a block's memory, for plugins that process in steps and round a block up.
  static let guardFrames = 64

  private static let known = Mutex<[Int: Memory]>([:])

  /// Two arrays of `longest` floats, which stay valid until the process ends.
  static func memory(longest: Int) -> (
    silence: UnsafeMutablePointer<Float>, spare: UnsafeMutablePointer<Float>
  ) {
    let memory = known.withLock { known in
      if let memory = known[longest] { return memory }
      let room = longest + guardFrames
      let floats = UnsafeMutablePointer<Float>.allocate(capacity: 2 * room)
      floats.initialize(repeating: 0, count: 2 * room)
      let memory = Memory(silence: floats, spare: floats + room)
      known[longest] = memory
      return memory
    }
    return (memory.silence, memory.spare)
  }
}
