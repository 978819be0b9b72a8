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
  private static let known = Mutex<[Int: Memory]>([:])

  /// Two arrays of `longest` floats, which live as long as the program.
  static func memory(longest: Int) -> (
    silence: UnsafeMutablePointer<Float>, spare: UnsafeMutablePointer<Float>
  ) {
    let memory = known.withLock { known in
      if let memory = known[longest] { return memory }
      let floats = UnsafeMutablePointer<Float>.allocate(capacity: 2 * longest)
      floats.initialize(repeating: 0, count: 2 * longest)
      let memory = Memory(silence: floats, spare: floats + longest)
      known[longest] = memory
      return memory
    }
    return (memory.silence, memory.spare)
  }
}
