// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletJack
internal import Synchronization

/// What the studio is like. Its sample rate is ``sampleRate``; that is the server's own, and nobody's to set.
extension AudioEngine {
  /// The studio's period now, in frames: how many come in a cycle. Nil offline and while the server is away.
  public var period: Int? {
    guard let frames = studio?.blockLength, frames > 0 else { return nil }
    return frames
  }

  /// How long the period lasts: no sound comes in and goes out again in less. Nil where there is none.
  package var periodDuration: Duration? { period.map(duration) }

  /// What ``setPreferredPeriod(_:)`` asks for, in frames.
  package static let periods = 16...8192

  /// Asks for another period, **for the whole studio**: JACK has one, all programs hear a gap when it changes, and it
  /// stays when this one has gone. So nothing but this function sets it.
  ///
  /// - Parameter frames: what one would like. The nearest power of two from 16 to 8192 is asked for, of two that are as
  ///   near the longer; it is nothing to be asked for where the studio has it.
  /// - Returns: what was asked for and agreed to. The studio takes it within a cycle or two and tells
  ///   ``RouteChange/Reason/configurationChange``.
  /// - Throws: ``EngineError/liveOnly(_:)`` offline; ``EngineError/jack(_:)`` with
  ///   ``JackError/periodRefused(_:)`` where the server or its sound card will not, or
  ///   ``JackError/closed(_:)`` while it is away.
  @discardableResult public func setPreferredPeriod(_ frames: Int) throws(EngineError) -> Int {
    guard let studio else { throw .liveOnly("a period") }
    let wanted = Self.possiblePeriod(frames)
    do throws(JackError) {
      if studio.blockLength == wanted { return wanted }
      guard try studio.setBlockLength(wanted) else { throw .periodRefused(wanted) }
    } catch {
      throw .jack(error)
    }
    return wanted
  }

  /// The nearest period that JACK's interface has words for: a power of two.
  static func possiblePeriod(_ frames: Int) -> Int {
    let frames = min(max(frames, periods.lowerBound), periods.upperBound)
    let lower = 1 << (Int.bitWidth - 1 - frames.leadingZeroBitCount)
    return frames - lower < 2 * lower - frames ? lower : 2 * lower
  }

  /// How old sound is when it reaches the engine from the machine, by the route of this moment: the most of any port
  /// that is heard, as its driver tells, with JACK's own period. Zero where none is heard, offline, and away.
  public var inputLatency: Duration { duration(currentRoute?.inputLatency ?? 0) }

  /// How long sound takes from the engine to the machine's loudspeakers, by the route of this moment: the most of any
  /// port that is played to. The latency of the graph's nodes comes before that.
  public var outputLatency: Duration { duration(currentRoute?.outputLatency ?? 0) }

  /// How many channels the machine has for sound, ways in and ways out, connected or not. What is connected is told by
  /// ``currentRoute``: ``Route/inputChannels``, ``Route/outputChannels``. Zero offline and while the server is away.
  package var machineChannels: (inputs: Int, outputs: Int) {
    let ports = ((try? studio?.ports()) ?? nil)?.filter { $0.isPhysical && $0.content == .audio } ?? []
    // What the machine gives is a way in for us.
    return (ports.count { $0.direction == .output }, ports.count { $0.direction == .input })
  }

  /// Whether anybody else plays: a session of another program that runs, or any client that is connected to a machine's
  /// port that this engine plays to (to any of its ports, where it plays to none). JACK does not tell whether what such
  /// a client sends is silence. False offline and while the server is away.
  public var isOtherAudioPlaying: Bool {
    let sessions = core.withLock { $0.life?.others } ?? []
    if sessions.contains(where: { $0.isRunning && $0.process != getpid() }) { return true }
    return ((try? studio?.isSharingOutputs()) ?? nil) ?? false
  }

  private func duration(_ frames: Int) -> Duration { .seconds(Double(frames) / sampleRate) }
}
