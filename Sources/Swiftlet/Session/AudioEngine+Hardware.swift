// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletJack
internal import Synchronization

/// Properties of the JACK server and the sound card. The server's sample rate is ``sampleRate``; clients cannot
/// change it.
extension AudioEngine {
  /// JACK's period in frames: the length of a cycle. Nil offline and while the server is away.
  public var period: Int? {
    guard let frames = jackClient?.blockLength, frames > 0 else { return nil }
    return frames
  }

  /// The duration of the period, which is the shortest possible latency from input to output. Nil if there is no
  /// period.
  package var periodDuration: Duration? { period.map(duration) }

  /// The range of ``setPreferredPeriod(_:)``, in frames.
  package static let periods = 16...8192

  /// Asks for another period, **for the whole JACK server**: all clients hear a gap when the period changes, and the
  /// new period stays when this program ends. No other function of the engine changes the period.
  ///
  /// - Parameter frames: the preferred period. The engine asks for the nearest power of two from 16 to 8192; of two
  ///   that are equally near, for the longer. Nothing happens if the server has that period already.
  /// - Returns: the period that was asked for. The server adopts it within a cycle or two, and
  ///   ``AudioEngine/routeChanges`` reports ``RouteChange/Reason/configurationChange``.
  /// - Throws: ``EngineError/liveOnly(_:)`` offline; ``EngineError/jack(_:)`` with ``JackError/periodRefused(_:)`` if
  ///   the server or its sound card refuses, or ``JackError/closed(_:)`` while the server is away.
  @discardableResult public func setPreferredPeriod(_ frames: Int) throws(EngineError) -> Int {
    guard let jackClient else { throw .liveOnly("a period") }
    let wanted = Self.possiblePeriod(frames)
    do throws(JackError) {
      if jackClient.blockLength == wanted { return wanted }
      guard try jackClient.setBlockLength(wanted) else { throw .periodRefused(wanted) }
    } catch {
      throw .jack(error)
    }
    return wanted
  }

  /// Returns the nearest period that JACK supports: a power of two.
  static func possiblePeriod(_ frames: Int) -> Int {
    let frames = min(max(frames, periods.lowerBound), periods.upperBound)
    let lower = 1 << (Int.bitWidth - 1 - frames.leadingZeroBitCount)
    return frames - lower < 2 * lower - frames ? lower : 2 * lower
  }

  /// The latency from the sound card to the engine, by the current route: the highest of all connected input ports,
  /// as the driver reports it, JACK's period included. Zero if no port is connected, offline, and while the server is
  /// away.
  public var inputLatency: Duration { duration(currentRoute?.inputLatency ?? 0) }

  /// The latency from the engine to the sound card's outputs, by the current route: the highest of all connected
  /// output ports. The latency of the graph's nodes is not included. Zero if no port is connected, offline, and while
  /// the server is away.
  public var outputLatency: Duration { duration(currentRoute?.outputLatency ?? 0) }

  /// The numbers of physical audio ports, connected or not. ``currentRoute`` has the connected ones:
  /// ``Route/inputChannels``, ``Route/outputChannels``. Zero offline and while the server is away.
  package var machineChannels: (inputs: Int, outputs: Int) {
    let ports = ((try? jackClient?.ports()) ?? nil)?.filter { $0.isPhysical && $0.content == .audio } ?? []
    // A physical port that JACK reads from (an output port) is an input for the engine.
    return (ports.count { $0.direction == .output }, ports.count { $0.direction == .input })
  }

  /// Whether other audio may be playing: a session of another program runs, or another client is connected to a
  /// hardware port that this engine plays to (to any hardware port, if this engine plays to none). JACK does not
  /// report whether such a client sends silence. False offline and while the server is away.
  public var isOtherAudioPlaying: Bool {
    let sessions = core.withLock { $0.life?.others } ?? []
    if sessions.contains(where: { $0.isRunning && $0.process != getpid() }) { return true }
    return ((try? jackClient?.isSharingOutputs()) ?? nil) ?? false
  }

  private func duration(_ frames: Int) -> Duration { .seconds(Double(frames) / sampleRate) }
}
