// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// What ports are connected to while nobody gives them a bus: silence to read, and a place to write.
///
/// All plugins share it. Memory of their own, each as long as the longest block, would lie at
/// distances that the cache takes for one and the same. A graph gives every port a bus: here only
/// rehearsals write, one at a time.
enum VacantPorts {
  private struct Memory: @unchecked Sendable {
    // @unchecked: zeros that nobody writes, and samples that nobody reads.
    let silence: UnsafeMutablePointer<Float>, spare: UnsafeMutablePointer<Float>
  }
  /// How many frames behind a block's memory nothing else lies: for plugins that work in steps, and round a block up.
  static let guardFrames = 64

  private static let known = Mutex<[Int: Memory]>([:])

  /// Two arrays of `longest` floats, which live as long as the program.
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
